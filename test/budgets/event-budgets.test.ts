import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { budgets, entriesPerChunk, liveBudget } from '../../commands/cost/budgets.ts';
import { clock } from '../../shared/clock.ts';
import { listEvents, retrieveLive } from '../../shared/contract/operations.ts';
import { getInboxes } from '../../shared/inbox.ts';
import { usage } from '../../shared/log/usage.ts';
import { formatEntry } from '../../shared/table/feed/feed-entry.ts';
import { createFeedWriter } from '../../shared/table/feed/feed-writer.ts';
import { measureCost, toMeasuredBudget } from '../commands/cost/measure-budget.ts';
import { changeConversation, create, list, send } from '../support/handlers/api-calls.ts';
import { ok } from '../support/handlers/invoke-handler.ts';
import { getLiveCursor } from '../support/handlers/list-events.ts';
import { ann, bob, person } from '../support/people/callers.ts';
import { selectSize } from '../support/setup/sample-size.ts';
import { startFakeAppSync } from '../support/workers/fake-appsync.ts';
import {
  getLiveWorkerFilter,
  readNewRecords,
  runLiveWorker,
} from '../support/workers/live-worker.ts';
import '../support/setup/use-table.ts';

let push: Awaited<ReturnType<typeof startFakeAppSync>>;
beforeAll(async () => {
  push = await startFakeAppSync();
});
afterAll(() => {
  push.stop();
});

/** Returns the live worker's cost of publishing the action's changes in one batch. */
async function measurePublishCost(action: () => Promise<unknown>) {
  await action();
  const wakes = await getLiveWorkerFilter();
  const records = (await readNewRecords()).filter(wakes);
  expect(await runLiveWorker(records)).toEqual([]);
  return {
    calls: usage.table_calls,
    reads: usage.read_units,
    writes: usage.write_units,
    publishes: push.publications(),
  };
}

const member = person('ann', { groups: ['team'] });
let direct: string;
let group: string;
beforeAll(async () => {
  direct = (await create(ann, { contact_id: 'bob' })).id;
  group = (await create(member, { group_id: 'team' })).id;
  // From here on, contacts, participants and the newest chunks are cached.
  await measurePublishCost(async () => {
    await send(ann, direct, 'Hello');
    await send(member, group, 'Hello');
  });
});

describe('Publishing one batch has the budgeted cost:', () => {
  test.each<
    [string, () => Promise<unknown>, keyof Omit<typeof liveBudget, 'aChunk' | 'aGroupChunk'>]
  >([
    ['a message to a contact', () => send(ann, direct, 'Hi'), 'direct'],
    ['a message to a group', () => send(member, group, 'Hi'), 'group'],
    ['a flag', () => changeConversation(ann, direct, { is_muted: true }), 'oneself'],
  ])('%s', async (_, action, budget) => {
    expect(await measurePublishCost(action)).toEqual(liveBudget[budget]);
  });

  test('eleven messages, then their read marks and the opening, with up to five events per publish request', async () => {
    // Uses separate feeds, so that these events do not fill a chunk in other tests' feeds.
    const [kim, lee] = [person('kim'), person('lee')];
    const { id } = await create(kim, { contact_id: 'lee' });
    await measurePublishCost(() => send(kim, id, 'Hello'));
    await measurePublishCost(() => send(lee, id, 'Hello'));
    const steps = [
      {
        step: () => Promise.all(Array.from({ length: 11 }, () => send(kim, id, 'x'))),
        budget: liveBudget.direct,
      },
      { step: () => list(lee, id, { limit: '100' }), budget: liveBudget.opened },
    ];
    for (const { step, budget } of steps) {
      const { writes, ...cost } = await measurePublishCost(step);
      // An event that fills a chunk takes additional calls and writes.
      const calls = budget.calls - budget.writes + writes;
      expect(cost).toEqual({ calls, reads: budget.reads, publishes: 6 });
      expect(writes).toBeGreaterThanOrEqual(budget.writes);
      expect(writes).toBeLessThanOrEqual(budget.writes * 4);
    }
  });

  test('single events that fill chunks of a group’s feed (one write unit per event, and two per chunk)', async () => {
    let writes = 0;
    for (let n = 0; n < 2 * entriesPerChunk; n++) {
      writes += (await measurePublishCost(() => send(member, group, `${n}`))).writes;
    }
    expect(writes).toBe(2 * (entriesPerChunk + liveBudget.aGroupChunk.writes));
  });
});

describe('Reading events has the budgeted cost:', () => {
  const hundred = Array.from({ length: 100 }, (_, n) => `group-${n}`);
  const inTeam = person('bob', { groups: ['team'] });

  test.each([
    ['no group', bob, 0],
    ['one group', inTeam, 1],
  ] as const)('without new events, for a caller in %s', async (_, as, groups) => {
    const starting_after = await getLiveCursor(as);
    const { nothingNew } = budgets['events/list'];
    expect(await measureCost(ok(listEvents, { as, query: { starting_after } }))).toEqual(
      toMeasuredBudget(nothingNew, groups),
    );
    expect(await measureCost(ok(retrieveLive, { as }))).toEqual(
      toMeasuredBudget(budgets['live/retrieve'].known, groups),
    );
  });

  test('with many events in each of a hundred groups (about one call per group from the oldest event, and three calls from a current cursor)', async () => {
    const at = Math.floor(clock.now() / 1000);
    const entry = (version: number) =>
      formatEntry({ type: 'conversation.updated', id: group, version, at });
    const append = createFeedWriter();
    const as = person('carl', { groups: hundred });
    for (const inbox of getInboxes(as)) {
      await append(
        inbox,
        Array.from({ length: selectSize(40, 400) }, (_, n) => entry(n + 1)),
      );
    }
    for (const limit of ['10', '100']) {
      const { calls, reads } = await measureCost(ok(listEvents, { as, query: { limit } }));
      // Calls for memberships, the epoch, the heads, 101 feeds and the events' resources. All
      // events have the same timestamp, so a page contains events of only one feed; a page of 100
      // events needs a second call for this feed.
      expect(calls).toBeLessThanOrEqual(1 + 1 + 1 + (1 + 100) + (limit === '10' ? 1 : 2));
      // Each call reads at most one page of a feed. Reading a page of ten events takes one read
      // unit, and reading a page of a hundred events takes three read units.
      expect(reads).toBeLessThanOrEqual((1 + 100) * (limit === '10' ? 1 : 3) + 5 + 100 / 2);
    }
    const starting_after = await getLiveCursor(as);
    // Calls for memberships and for the chunks of 101 feeds.
    expect(await measureCost(ok(listEvents, { as, query: { starting_after } }))).toEqual({
      ...{ calls: 3, reads: 101, writes: 0 },
    });
    // The four calls read the memberships, the caller's feed, the heads, and the chunks that the
    // heads identify.
    expect(await measureCost(ok(retrieveLive, { as }))).toEqual({
      ...{ calls: 4, reads: 101, writes: 0 },
    });
  });

  test('for ten new messages in one conversation', async () => {
    const starting_after = await getLiveCursor(bob);
    await measurePublishCost(async () => {
      for (let n = 0; n < 10; n++) await send(ann, direct, `${n}`);
    });
    // Caches the sender again, because the cached sender may have expired.
    await ok(listEvents, { as: bob, query: { starting_after } });
    expect(await measureCost(ok(listEvents, { as: bob, query: { starting_after } }))).toEqual(
      toMeasuredBudget(budgets['events/list'].tenNew),
    );
  });
});
