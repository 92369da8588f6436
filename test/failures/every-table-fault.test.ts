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
import { sampleOf } from '../support/setup/sample-size.ts';
import { type FaultInjection, injectFault, listFaults } from '../support/table/http-faults.ts';
import '../support/setup/use-table.ts';

const rows: readonly Operation[] = operations;
let world: ScenarioWorld;
beforeAll(async () => {
  world = await runScenario();
});
beforeEach(() => {
  world.mockTimeAndIds();
});

/** Returns a description of the violated invariant, or an empty string. */
async function problemOf(
  row: Operation,
  way: RequestScenario,
  strike: FaultInjection,
): Promise<string> {
  const { cast, ask } = await way.begin();
  const wire = injectFault(strike);
  const reply = await ask();
  await wire.calm();

  const sight = await world.look(cast);
  const outcome = toOutcome(cast, reply, sight);
  const isRight = outcome === way.right;
  const isAlike = (text: string, one: string) =>
    strike.lasts && marksWhatWasRead(row) && timeless(text) === timeless(one);
  const isFair = isAlike(outcome, way.right) || (strike.lasts && asksForRetry(reply));
  if (!isRight && !isFair) return `returns ${shown(reply)}`;
  const [asBefore, asAfter] = [isAs(sight, way.before, way), isAs(sight, way.after, way)];
  if (!asBefore && !asAfter) return `leaves a partial change: ${sight}`;

  const last = toOutcome(cast, await ask(), await world.look(cast));
  const expected = [...(asBefore && !isRight ? [way.right] : []), ...(asAfter ? [way.again] : [])];
  const isExpected = expected.some((one) => one === last || isAlike(one, last));
  return isExpected ? '' : `when retried, ends in ${last}`;
}

/**
 * Reports whether the operation may mark messages as read: any GET operation, or the update of a
 * conversation, which can set the last read message.
 */
const marksWhatWasRead = (row: Operation) => row.method === 'GET' || row === updateConversation;

const shown = ({ status, body }: Reply) => `${status} ${JSON.stringify(body)}`;

const ComeAgain = v.object({
  headers: v.object({ 'Retry-After': v.string() }),
  body: v.object({ code: v.picklist(Object.keys(retryAfterSeconds)) }),
});
const asksForRetry = (reply: Reply) => v.is(ComeAgain, reply);

/**
 * Fields that a failed attempt or a read may change: timestamps and unread counts. The request
 * succeeds even if these fields cannot be stored.
 */
const loose = /"(read_at|last_opened_at|last_active_at|unread_count)":(\d+|null)/g;
const timeless = (text: string) => text.replace(loose, '"$1":…');

/**
 * Reports whether two views are equal. `loose` fields may have values from before or after the
 * request.
 */
function isAs(sight: View, one: View, { before, after }: RequestScenario): boolean {
  if (timeless(numberIds(sight)) !== timeless(numberIds(one))) return false;
  const timesOf = (text: View) => new Set(Array.from(text.matchAll(loose), ([time]) => time));
  const possible = new Set([...timesOf(before), ...timesOf(after)]);
  return [...timesOf(sight)].every((time) => possible.has(time));
}

describe('If any table call fails, once or permanently,', () => {
  test.each(rows.map((row) => [row.id, row] as const))(
    '%s returns a correct or retryable response, changes all or nothing, and can be retried; reads succeed even if messages cannot be marked as read',
    async (_, row) => {
      const problems: string[] = [];
      for (const way of await createRequestScenarios(row, world)) {
        for (const strike of sampleOf(listFaults(way.calls), 32)) {
          const problem = await problemOf(row, way, strike);
          if (problem) problems.push(`${way.title}: ${strike.title}: ${problem}`);
        }
      }
      expect(problems).toEqual([]);
    },
    300_000,
  );
});
