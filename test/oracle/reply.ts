import { goodStatuses } from '../../shared/contract/operation.ts';
import type { Asked } from './asked.ts';
import { errorRules } from './error.ts';
import { headerRules } from './headers.ts';
import type { Observed } from './observed.ts';
import { broken } from './rule.ts';
import { successRules, unchangedRules } from './success.ts';

/**
 * What of a reply is not as the contract promises: status, headers, body, page, error; empty when all is. Knows the rows
 * and schemas of the contract and nothing else, so it judges every operation that there is or will be.
 */
export function breachesOf(asked: Asked, reply: Observed): string[] {
  const { row } = asked;
  const rules =
    row && goodStatuses(row).includes(reply.status)
      ? successRules(row, asked, reply)
      : row && reply.status === 304
        ? unchangedRules(row, reply)
        : errorRules(asked, reply);
  return broken([...headerRules(asked, reply), ...rules]);
}
