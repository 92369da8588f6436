import { getSuccessStatuses } from '../../shared/contract/operation.ts';
import { errorRules } from './error-rules.ts';
import { headerRules } from './header-rules.ts';
import type { ObservedReply } from './observed-reply.ts';
import type { RequestContext } from './request-context.ts';
import { getBrokenRules } from './rule.ts';
import { successRules, unchangedRules } from './success-rules.ts';

/**
 * What of a reply is not as the contract promises: status, headers, body, page, error; empty when all is. Knows the rows
 * and schemas of the contract and nothing else, so it judges every operation that there is or will be.
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
