import { beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { clock } from '../../shared/clock.ts';
import { examples } from '../../shared/contract/examples.ts';
import { type Cast, newCast } from '../support/fault-replay/cast.ts';
import { runScenario, type ScenarioWorld } from '../support/fault-replay/scenario-world.ts';
import { type TableSnapshot, takeSnapshot } from '../support/fault-replay/table-snapshot.ts';
import { fakeTimeouts } from '../support/setup/fake-timeouts.ts';
import { type FaultInjection, injectFault, listFaults } from '../support/table/http-faults.ts';
import { recordHttpCalls } from '../support/table/http-hooks.ts';
import { runPurgeWorker } from '../support/workers/purge-worker.ts';
import '../support/files/use-file-server.ts';
import '../support/setup/use-table.ts';

let scenarioWorld: ScenarioWorld;
beforeAll(async () => {
  scenarioWorld = await runScenario();
});
beforeEach(() => {
  scenarioWorld.mockTimeAndIds();
  jest.spyOn(clock, 'sleep').mockImplementation(async (milliseconds) => {
    scenarioWorld.at(clock.now() + milliseconds);
  });
});

const { id } = examples['conversations/create'].reply;
/** Returns the conversation's items, except reports, which remain after the purge. */
const ofConversation = (snapshot: TableSnapshot) =>
  snapshot.filter((item) => item.includes(id) && !item.includes('"reported_by"'));

/** Restores the scenario's final state, and sets the clock to ten minutes after the deletion. */
async function begin(): Promise<Cast> {
  const cast = newCast();
  await scenarioWorld.beginAt(scenarioWorld.snapshots.at(-1) ?? [], cast);
  scenarioWorld.at((examples['conversations/delete'].at + 600) * 1000);
  return cast;
}

/**
 * Runs the purge with a time limit of 16 seconds. The worker reserves 15 seconds for calls that are
 * still running when it must stop. The remaining second is enough for the work. The time limit also
 * bounds the wait if the table accepts no writes.
 */
async function runWorker(): Promise<string[]> {
  fakeTimeouts();
  try {
    return await runPurgeWorker([id], { milliseconds: 16_000 });
  } finally {
    jest.useRealTimers();
  }
}

/** Returns a description of the violated invariant, or an empty string. */
async function problemOf(fault: FaultInjection): Promise<string> {
  const cast = await begin();
  const before = {
    seen: await scenarioWorld.getView(cast),
    stored: ofConversation(await takeSnapshot(cast)),
  };
  const interception = injectFault(fault);
  const failed = await runWorker();
  await interception.remove();
  if (!fault.isLasting && failed.length > 0) return 'fails, though it had time to retry';

  // Lambda retries failed records, and the table's stream invokes the worker for a changed
  // tombstone.
  const remaining = ofConversation(await takeSnapshot(cast));
  const tombstone = remaining.find(
    (item) => item.includes('deleted_at') && item.includes('deletion'),
  );
  const isCalledAgain = failed.length > 0 || (tombstone && !before.stored.includes(tombstone));
  if (remaining.length > 0 && !tombstone) return `leaves unreachable items: ${remaining}`;
  if (remaining.length > 0 && !isCalledAgain) return `completes, and leaves ${remaining}`;
  await runWorker();
  const rest = ofConversation(await takeSnapshot(cast));
  if (rest.length > 0) return `is invoked again, and leaves ${rest}`;
  return (await scenarioWorld.getView(cast)) === before.seen
    ? ''
    : 'changes the replies to a participant';
}

test('If any table call fails, the purge removes all items of the conversation in the same or the next invocation', async () => {
  await begin();
  const problems: string[] = [];
  for (const fault of listFaults(await recordHttpCalls(runWorker))) {
    const problem = await problemOf(fault);
    if (problem) problems.push(`${fault.title}: ${problem}`);
  }
  expect(problems).toEqual([]);
}, 600_000);
