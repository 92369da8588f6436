import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
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
afterAll(() => {
  jest.restoreAllMocks();
});

/** What may be wrong in the end. */
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
  if (!isRight && !isFair) return `is answered ${shown(reply)}`;
  const [asBefore, asAfter] = [isAs(sight, way.before, way), isAs(sight, way.after, way)];
  if (!asBefore && !asAfter) return `leaves a half: ${sight}`;

  const last = toOutcome(cast, await ask(), await world.look(cast));
  const expected = [...(asBefore && !isRight ? [way.right] : []), ...(asAfter ? [way.again] : [])];
  const isExpected = expected.some((one) => one === last || isAlike(one, last));
  return isExpected ? '' : `and is made again, ends in ${last}`;
}

/** Reading does, and saying what was read on another device. */
const marksWhatWasRead = (row: Operation) => row.method === 'GET' || row === updateConversation;

const shown = ({ status, body }: Reply) => `${status} ${JSON.stringify(body)}`;

const ComeAgain = v.object({
  headers: v.object({ 'Retry-After': v.string() }),
  body: v.object({ code: v.picklist(Object.keys(retryAfterSeconds)) }),
});
const asksForRetry = (reply: Reply) => v.is(ComeAgain, reply);

/**
 * What trying or reading leaves, each for itself: times, and what is still unread. What is asked for is given or done, though
 * they cannot be noted.
 */
const loose = /"(read_at|last_opened_at|last_active_at|unread_count)":(\d+|null)/g;
const timeless = (text: string) => text.replace(loose, '"$1":…');

/** All is as in the one sight; only such a time may be as in another. */
function isAs(sight: View, one: View, { before, after }: RequestScenario): boolean {
  if (timeless(numberIds(sight)) !== timeless(numberIds(one))) return false;
  const timesOf = (text: View) => new Set(Array.from(text.matchAll(loose), ([time]) => time));
  const possible = new Set([...timesOf(before), ...timesOf(after)]);
  return [...timesOf(sight)].every((time) => possible.has(time));
}

describe('Whatever happens to any of its calls of the table, once or from then on', () => {
  test.each(rows.map((row) => [row.id, row] as const))(
    '%s is answered right or told to come again, does all or nothing, and can be made again; what is read is given though it cannot be marked',
    async (_, row) => {
      const problems: string[] = [];
      for (const way of await createRequestScenarios(row, world)) {
        for (const strike of sampleOf(listFaults(way.calls), 64)) {
          const problem = await problemOf(row, way, strike);
          if (problem) problems.push(`${way.title}: ${strike.title}: ${problem}`);
        }
      }
      expect(problems).toEqual([]);
    },
    300_000,
  );
});
