import { getSuccessStatuses } from '../../shared/contract/operation.ts';
import { errorRules } from './error-rules.ts';
import { headerRules } from './header-rules.ts';
import type { ObservedReply } from './observed-reply.ts';
import type { RequestContext } from './request-context.ts';
import { getBrokenRules } from './rule.ts';
import { successRules, unchangedRules } from './success-rules.ts';

/**
 * Returns how the status, headers, body, page or error of a reply break the contract; empty if they
 * conform. Uses only the contract's rows and schemas, so it covers every current and future
 * operation.
 */
export function findBreaches(asked: RequestContext, reply: ObservedReply): string[] {
  const { row } = asked;
  const rules =
    row && getSuccessStatuses(row).includes(reply.status)
      ? successRules(row, asked, reply)
      : row && reply.status === 304
        ? unchangedRules(row, reply)
        : errorRules(asked, reply);
  return getBrokenRules([...headerRules(asked, reply), ...rules]);
}
