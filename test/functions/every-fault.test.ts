import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { retryAfterSeconds } from '../../shared/contract/errors.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations, updateConversation } from '../../shared/contract/operations.ts';
import type { Reply } from '../support/handlers.ts';
import { numbered, outcomeOf } from '../support/outcome.ts';
import { sampleOf } from '../support/size.ts';
import { type Way, waysOf } from '../support/ways.ts';
import { type Strike, strikeOnTheWire, strikesAt } from '../support/wire-faults.ts';
import { runScenario, type Sight, type World } from '../support/world.ts';
import '../support/table.ts';

const rows: readonly Operation[] = operations;
let world: World;
beforeAll(async () => {
  world = await runScenario();
});
afterAll(() => {
  jest.restoreAllMocks();
});

/** What may be wrong in the end. */
async function problemOf(row: Operation, way: Way, strike: Strike): Promise<string> {
  const { cast, ask } = await way.begin();
  const wire = strikeOnTheWire(strike);
  const reply = await ask();
  await wire.calm();

  const sight = await world.look(cast);
  const outcome = outcomeOf(cast, reply, sight);
  const isRight = outcome === way.right;
  const isAlike = (text: string, one: string) =>
    strike.lasts && marksWhatWasRead(row) && timeless(text) === timeless(one);
  const isFair = isAlike(outcome, way.right) || (strike.lasts && asksForRetry(reply));
  if (!isRight && !isFair) return `is answered ${shown(reply)}`;
  const [asBefore, asAfter] = [isAs(sight, way.before, way), isAs(sight, way.after, way)];
  if (!asBefore && !asAfter) return `leaves a half: ${sight}`;

  const last = outcomeOf(cast, await ask(), await world.look(cast));
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
function isAs(sight: Sight, one: Sight, { before, after }: Way): boolean {
  if (timeless(numbered(sight)) !== timeless(numbered(one))) return false;
  const timesOf = (text: Sight) => new Set(Array.from(text.matchAll(loose), ([time]) => time));
  const possible = new Set([...timesOf(before), ...timesOf(after)]);
  return [...timesOf(sight)].every((time) => possible.has(time));
}

describe('Whatever happens to any of its calls of the table, once or from then on', () => {
  test.each(rows.map((row) => [row.id, row] as const))(
    '%s is answered right or told to come again, does all or nothing, and can be made again; what is read is given though it cannot be marked',
    async (_, row) => {
      const problems: string[] = [];
      for (const way of await waysOf(row, world)) {
        for (const strike of sampleOf(strikesAt(way.calls), 64)) {
          const problem = await problemOf(row, way, strike);
          if (problem) problems.push(`${way.title}: ${strike.title}: ${problem}`);
        }
      }
      expect(problems).toEqual([]);
    },
    300_000,
  );
});
