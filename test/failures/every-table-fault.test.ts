import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { retryAfterSeconds } from '../../shared/contract/errors.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations, updateConversation } from '../../shared/contract/operations.ts';
import { numberIds, toOutcome } from '../support/fault-replay/outcome.ts';
import {
  createRequestScenarios,
  type RequestScenario,
} from '../support/fault-replay/request-scenarios.ts';
import {
  runScenario,
  type ScenarioWorld,
  type View,
} from '../support/fault-replay/scenario-world.ts';
import type { Reply } from '../support/handlers/invoke-handler.ts';
import { takeSample } from '../support/setup/sample-size.ts';
import { type FaultInjection, injectFault, listFaults } from '../support/table/http-faults.ts';
import '../support/setup/use-table.ts';

const rows: readonly Operation[] = operations;
let scenarioWorld: ScenarioWorld;
beforeAll(async () => {
  scenarioWorld = await runScenario();
});
beforeEach(() => {
  scenarioWorld.mockTimeAndIds();
});

/** Returns a description of the violated invariant, or an empty string. */
async function problemOf(
  row: Operation,
  scenario: RequestScenario,
  fault: FaultInjection,
): Promise<string> {
  const { cast, sendRequest } = await scenario.begin();
  const interception = injectFault(fault);
  const reply = await sendRequest();
  await interception.remove();

  const view = await scenarioWorld.getView(cast);
  const outcome = toOutcome(cast, reply, view);
  const isExpectedOutcome = outcome === scenario.expectedOutcome;
  const isEquivalent = (text: string, one: string) =>
    fault.isLasting && mayMarkAsRead(row) && withoutTimes(text) === withoutTimes(one);
  const isAcceptable =
    isEquivalent(outcome, scenario.expectedOutcome) || (fault.isLasting && isRetryable(reply));
  if (!isExpectedOutcome && !isAcceptable) return `returns ${shown(reply)}`;
  const [asBefore, asAfter] = [
    isSameView(view, scenario.before, scenario),
    isSameView(view, scenario.after, scenario),
  ];
  if (!asBefore && !asAfter) return `leaves a partial change: ${view}`;

  const last = toOutcome(cast, await sendRequest(), await scenarioWorld.getView(cast));
  const expected = [
    ...(asBefore && !isExpectedOutcome ? [scenario.expectedOutcome] : []),
    ...(asAfter ? [scenario.repeatedOutcome] : []),
  ];
  const isExpected = expected.some((one) => one === last || isEquivalent(one, last));
  return isExpected ? '' : `when retried, ends in ${last}`;
}

/**
 * Reports whether the operation may mark messages as read: a GET, or the update of a conversation.
 */
const mayMarkAsRead = (row: Operation) => row.method === 'GET' || row === updateConversation;

const shown = ({ status, body }: Reply) => `${status} ${JSON.stringify(body)}`;

const RetryableReply = v.object({
  headers: v.object({ 'Retry-After': v.string() }),
  body: v.object({ code: v.picklist(Object.keys(retryAfterSeconds)) }),
});
const isRetryable = (reply: Reply) => v.is(RetryableReply, reply);

/**
 * Fields that a failed attempt or a read may change: timestamps and unread counts. The request
 * succeeds even if these fields cannot be stored.
 */
const volatileFields = /"(read_at|last_opened_at|last_active_at|unread_count)":(\d+|null)/g;
const withoutTimes = (text: string) => text.replace(volatileFields, '"$1":…');

/**
 * Reports whether two views are equal. `volatileFields` may have values from before or after the
 * request.
 */
function isSameView(view: View, one: View, { before, after }: RequestScenario): boolean {
  if (withoutTimes(numberIds(view)) !== withoutTimes(numberIds(one))) return false;
  const timesOf = (text: View) =>
    new Set(Array.from(text.matchAll(volatileFields), ([time]) => time));
  const possible = new Set([...timesOf(before), ...timesOf(after)]);
  return [...timesOf(view)].every((time) => possible.has(time));
}

describe('If any table call fails, once or permanently,', () => {
  test.each(rows.map((row) => [row.id, row] as const))(
    '%s returns the expected response or a retryable error, changes all or nothing, and can be retried',
    async (_, row) => {
      const problems: string[] = [];
      for (const scenario of await createRequestScenarios(row, scenarioWorld)) {
        for (const fault of takeSample(listFaults(scenario.calls), 32)) {
          const problem = await problemOf(row, scenario, fault);
          if (problem) problems.push(`${scenario.title}: ${fault.title}: ${problem}`);
        }
      }
      expect(problems).toEqual([]);
    },
    300_000,
  );
});
