import { getSuccessStatuses } from '../../shared/contract/operation.ts';
import { errorRules } from './error-rules.ts';
import { headerRules } from './header-rules.ts';
import type { ObservedReply } from './observed-reply.ts';
import type { RequestContext } from './request-context.ts';
import { getBrokenRules } from './rule.ts';
import { successRules, unchangedRules } from './success-rules.ts';

/**
 * Returns the contract's rules that a reply's status, headers or body violates; empty if none.
 * Derives the rules from the contract's rows and schemas, so new operations have rules, too.
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
