import { getSuccessStatuses } from '../../shared/contract/operation.ts';
import { errorRules } from './error-rules.ts';
import { headerRules } from './header-rules.ts';
import type { ObservedReply } from './observed-reply.ts';
import type { RequestContext } from './request-context.ts';
import { getBrokenRules } from './rule.ts';
import { successRules, unchangedRules } from './success-rules.ts';

/** Returns the rules of the contract that the reply violates. */
export function findBreaches(context: RequestContext, reply: ObservedReply): string[] {
  const { row } = context;
  const rules =
    row && getSuccessStatuses(row).includes(reply.status)
      ? successRules(row, context, reply)
      : row && reply.status === 304
        ? unchangedRules(row, reply)
        : errorRules(context, reply);
  return getBrokenRules([...headerRules(context, reply), ...rules]);
}
