import { describe, expect, test } from '@jest/globals';
import { toSeconds } from '../../../shared/clock.ts';
import { listReaders } from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import {
  block,
  getConversation,
  getConversations,
  getMessage,
  list,
  react,
  removeMessage,
  unblock,
} from '../../support/handlers/api-calls.ts';
import { ok } from '../../support/handlers/invoke-handler.ts';
import { getLiveCursor, listEventsAfter } from '../../support/handlers/list-events.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import {
  getLiveWorkerFilter,
  publishAll,
  readNewRecords,
} from '../../support/workers/live-worker.ts';
import '../../support/setup/use-table.ts';
import { createPair, type Pair } from './create-pair.ts';

describe('To a blocked contact who reads but does not send, a block is invisible', () => {
  const readAll = async ({ bob, id, byAnn }: Pair) => ({
    conversation: await getConversation(bob, id),
    inbox: await getConversations(bob, { 'expand[]': ['unread_count', 'last_message'] }),
    readers: await ok(listReaders, { as: bob, path: { conversation_id: id } }),
    message: await getMessage(bob, byAnn),
    messages: await list(bob, id),
  });

  test('in read times, unread counts and lists of readers', async () => {
    const time = createVirtualClock();
    const seen = [];
    for (const isBlocked of [false, true]) {
      const pair = await createPair();
      time.pass(60_000);
      if (isBlocked) await block(pair.ann, pair.bob.id);
      const first = await readAll(pair);
      time.pass(120_000);
      const second = await readAll(pair);
      const readAt = [...first.messages.data, ...second.messages.data].map(({ read_at }) =>
        read_at === null ? null : read_at - toSeconds(time.now()),
      );
      const unread = [first, second].map(({ inbox }) => inbox.data[0]?.unread_count);
      const { data } = second.readers;
      seen.push({ readAt, unread, readers: data.map(({ contact_id }) => contact_id.slice(0, 3)) });
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]?.unread).toEqual([1, 0]);
  });

  test('in events, read times and table calls when both contacts list messages', async () => {
    const seen = [];
    for (const isBlocked of [false, true]) {
      const { ann, bob, id, byAnn, byBob } = await createPair();
      await publishAll();
      const cursor = await getLiveCursor(bob);
      if (isBlocked) await block(ann, bob.id);
      await list(ann, id);
      await list(bob, id);
      const cost = { ...usage };
      await publishAll();
      const { events } = await listEventsAfter(bob, cursor);
      seen.push({
        cost,
        // A request writes several items at once, so their events have no fixed order.
        events: events
          .map(({ type, version, payload }) => {
            const message = { [byAnn]: 'from Ann', [byBob]: 'from Bob' }[payload?.id ?? ''];
            const isRead = payload && 'read_at' in payload && payload.read_at !== null;
            return `${type} ${version} ${message} ${isRead}`;
          })
          .sort(),
        read: (await list(bob, id)).data.map(({ read_at }) => read_at !== null),
      });
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]?.read).toEqual([true, true]);
  });

  test('in the feed, because a block publishes no event', async () => {
    const { ann, bob } = await createPair();
    await publishAll();
    await block(ann, bob.id);
    expect((await readNewRecords()).filter(await getLiveWorkerFilter())).toEqual([]);
  });
});

describe('The blocker', () => {
  test('does not see that the blocked contact has read messages or opened the conversation', async () => {
    const { ann, bob, id, byAnn } = await createPair();
    await block(ann, bob.id);
    expect((await list(bob, id)).data).toMatchObject([{}, { read_at: expect.any(Number) }]);
    expect(await getMessage(bob, byAnn)).toMatchObject({ read_at: expect.any(Number) });
    expect(await getMessage(ann, byAnn)).toMatchObject({ read_at: null });
    expect((await list(ann, id)).data).toMatchObject([{}, { read_at: null }]);
    expect(await ok(listReaders, { as: ann, path: { conversation_id: id } })).toMatchObject({
      data: [{ contact_id: ann.id }],
    });
  });

  test('gets no event when the blocked contact reads, and each contact’s events have consecutive versions', async () => {
    const time = createVirtualClock();
    const { ann, bob, id, byAnn } = await createPair();
    await publishAll();
    const cursors = [await getLiveCursor(ann), await getLiveCursor(bob)];
    await block(ann, bob.id);
    await list(bob, id);
    await publishAll();
    expect((await listEventsAfter(ann, cursors[0])).events).toEqual([]);
    await unblock(ann, bob.id);
    time.pass(120_000);
    await list(bob, id);
    await publishAll();
    await react(bob, byAnn, { ok: [bob.id] });
    await publishAll();
    await removeMessage(ann, byAnn);
    await publishAll();
    const versions = await Promise.all(
      [ann, bob].map(async (as, n) => {
        const { events } = await listEventsAfter(as, cursors[n]);
        const ids = events.flatMap((one) => (one.id.startsWith(byAnn) ? [one.id] : []));
        return ids.map((one) => one.slice(byAnn.length));
      }),
    );
    expect(versions).toEqual([
      ['-2', '-3', '-4'],
      ['-2', '-3', '-4', '-5'],
    ]);
  });

  test('sees the original read time only after the unblocked contact reads again', async () => {
    const time = createVirtualClock();
    const { ann, bob, id, byAnn } = await createPair();
    await block(ann, bob.id);
    await list(bob, id);
    const { read_at } = await getMessage(bob, byAnn);
    time.pass(60_000);
    await unblock(ann, bob.id);
    expect(await getMessage(ann, byAnn)).toMatchObject({ read_at: null });
    await list(bob, id);
    expect(await getMessage(ann, byAnn)).toMatchObject({ read_at });
    expect(await react(bob, byAnn, { ok: [bob.id] })).toMatchObject({ read_at });
  });
});
