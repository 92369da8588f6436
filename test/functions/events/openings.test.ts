import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { createBlock, listReaders, updateSettings } from '../../../shared/contract/operations.ts';
import { getNewestChunks } from '../../../shared/table/feed/feed-chunk.ts';
import { parseEntry } from '../../../shared/table/feed/feed-entry.ts';
import {
  changeConversation,
  create,
  list,
  removeMessage,
  send,
} from '../../support/handlers/api-calls.ts';
import { ok } from '../../support/handlers/invoke-handler.ts';
import { getLiveCursor, listEventsAfter } from '../../support/handlers/list-events.ts';
import { createTrio } from '../../support/people/callers.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import '../../support/setup/use-table.ts';

afterEach(() => {
  delete process.env.READ_RECEIPTS;
  jest.restoreAllMocks();
});

async function withUnread(contact?: (other: Caller) => object) {
  const { cleo, xavier } = createTrio();
  const { id } = await create(xavier, contact?.(cleo) ?? { contact_id: cleo.id });
  const sent = [await send(xavier, id, 'One'), await send(xavier, id, 'Two')];
  await publishAll();
  return { cleo, xavier, id, sent };
}

/** Publishes all changes, then lists the openings after the cursor. */
async function openingsFor(as: Caller, cursor?: string) {
  await publishAll();
  const { events } = await listEventsAfter(as, cursor);
  return events.filter(({ type }) => type === 'reader.updated');
}

const setSharing = (as: Caller, share_read_receipts: boolean) =>
  ok(updateSettings, { as, body: { share_read_receipts } });

describe('Opening a direct conversation', () => {
  test('publishes an event to the other contact, with the same fields as the list of readers', async () => {
    const { cleo, xavier, id, sent } = await withUnread();
    await list(cleo, id);
    const [opening, ...others] = await openingsFor(xavier);
    const { data } = await ok(listReaders, { as: xavier, path: { conversation_id: id } });
    expect(others).toEqual([]);
    expect(opening).toMatchObject({
      id: expect.stringMatching(/^\w+-\w+-reader-1$/),
      version: 1,
      payload: { id: `${id}-${cleo.id}`, conversation_id: id, ...data[0] },
    });
    expect(data[0]).toMatchObject({ contact_id: cleo.id, last_read_message_id: sent[1]?.id });
    expect(await openingsFor(cleo)).toEqual([]);
  });

  test('twice publishes two events; on a page with both, only the first has a payload, with the newest read message that still exists', async () => {
    const { cleo, xavier, id, sent } = await withUnread();
    await changeConversation(cleo, id, { last_read_message_id: sent[0]?.id ?? '' });
    await list(cleo, id);
    await removeMessage(xavier, sent[1]?.id ?? '');
    const payloads = (await openingsFor(xavier)).map(({ payload }) => payload);
    expect(payloads).toEqual([
      expect.objectContaining({ last_read_message_id: sent[0]?.id }),
      null,
    ]);
  });

  test.each([
    ['the reader hides read receipts', ({ cleo }: { cleo: Caller }) => setSharing(cleo, false)],
    [
      'the other contact hides read receipts',
      ({ xavier }: { xavier: Caller }) => setSharing(xavier, false),
    ],
    [
      'the other contact blocks the reader',
      ({ cleo, xavier }: { cleo: Caller; xavier: Caller }) =>
        ok(createBlock, { as: xavier, path: { contact_id: cleo.id } }),
    ],
    [
      'the stage has no read receipts',
      async () => {
        process.env.READ_RECEIPTS = 'off';
      },
    ],
  ])('publishes no event if %s, and earlier events are no longer returned', async (_, hide) => {
    const later = await withUnread();
    await list(later.cleo, later.id);
    expect(await openingsFor(later.xavier)).toHaveLength(1);
    await send(later.cleo, later.id, 'So that the contact is stored');
    await hide(later);
    expect(await openingsFor(later.xavier)).toEqual([]);

    const before = await withUnread();
    await send(before.cleo, before.id, 'So that the contact is stored');
    await hide(before);
    const now = clock.now() + 61_000;
    jest.spyOn(clock, 'now').mockReturnValue(now);
    await list(before.cleo, before.id);
    await publishAll();
    const [chunk] = await getNewestChunks({ kind: 'contact', id: before.xavier.id }, 1);
    const types = chunk?.entries.map((text) => parseEntry(text).type);
    expect([types?.includes('message.created'), types?.includes('reader.updated')]).toEqual([
      true,
      false,
    ]);
  });
});

test('Changing flags or marking messages as unread publishes no reader.updated event', async () => {
  const { cleo, xavier, id, sent } = await withUnread();
  await list(cleo, id);
  await publishAll();
  const cursor = await getLiveCursor(xavier);
  await changeConversation(cleo, id, { is_muted: true });
  await changeConversation(cleo, id, { mark_unread_from: sent[1]?.id ?? '' });
  expect(await openingsFor(xavier, cursor)).toEqual([]);
});
