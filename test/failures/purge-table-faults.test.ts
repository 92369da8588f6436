import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { clock } from '../../shared/clock.ts';
import { examples } from '../../shared/contract/examples.ts';
import { type Cast, newCast } from '../support/fault-replay/cast.ts';
import { runScenario, type ScenarioWorld } from '../support/fault-replay/scenario-world.ts';
import { type TableSnapshot, takeSnapshot } from '../support/fault-replay/table-snapshot.ts';
import { runPurgeWorker } from '../support/handlers/purge-worker.ts';
import { sampleOf } from '../support/setup/sample-size.ts';
import { type FaultInjection, injectFault, listFaults } from '../support/table/http-faults.ts';
import { recordHttpCalls } from '../support/table/http-hooks.ts';
import '../support/setup/use-table.ts';

let world: ScenarioWorld;
beforeAll(async () => {
  world = await runScenario();
  jest.spyOn(clock, 'sleep').mockImplementation(async (milliseconds) => {
    world.at(clock.now() + milliseconds);
  });
});
afterAll(() => {
  jest.restoreAllMocks();
});

const { id } = examples['conversations/create'].reply;
const ofConversation = (moment: TableSnapshot) => moment.filter((item) => item.includes(id));

/** When the story is over, and so is every request of it. */
async function begin(): Promise<Cast> {
  const cast = newCast();
  await world.beginAt(world.moments.at(-1) ?? [], cast);
  world.at((examples['conversations/delete'].at + 600) * 1000);
  return cast;
}

/** A second for the work itself: enough, and soon over where the table takes nothing. */
const work = () => runPurgeWorker([id], { milliseconds: 16_000 });

/** What may be wrong in the end. */
async function problemOf(strike: FaultInjection): Promise<string> {
  const cast = await begin();
  const before = { seen: await world.look(cast), stored: ofConversation(await takeSnapshot(cast)) };
  const wire = injectFault(strike);
  const failed = await work();
  await wire.calm();
  if (!strike.lasts && failed.length > 0) return 'fails, though it could have tried again';

  // Lambda calls it again for what failed, the table's stream for a tombstone that has changed.
  const left = ofConversation(await takeSnapshot(cast));
  const tombstone = left.find((item) => item.includes('deleted_at') && item.includes('deletion'));
  const isCalledAgain = failed.length > 0 || (tombstone && !before.stored.includes(tombstone));
  if (left.length > 0 && !tombstone) return `leaves what nobody will look for: ${left}`;
  if (left.length > 0 && !isCalledAgain) return `is done, and leaves ${left}`;
  await work();
  const rest = ofConversation(await takeSnapshot(cast));
  if (rest.length > 0) return `is called again, and leaves ${rest}`;
  return (await world.look(cast)) === before.seen ? '' : 'changes what somebody sees';
}

test('Whatever happens to any of its calls of the table, the purge removes everything in the end, or is called again', async () => {
  await begin();
  const problems: string[] = [];
  for (const strike of sampleOf(listFaults(await recordHttpCalls(work)), 8)) {
    const problem = await problemOf(strike);
    if (problem) problems.push(`${strike.title}: ${problem}`);
  }
  expect(problems).toEqual([]);
}, 300_000);
