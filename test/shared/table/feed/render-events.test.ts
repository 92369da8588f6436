import { expect, test } from '@jest/globals';
import type { Caller } from '../../../../shared/caller.ts';
import type { FeedEntry } from '../../../../shared/table/feed/feed-entry.ts';
import { renderEvents } from '../../../../shared/table/feed/render-events.ts';
import { create, removeConversation, send } from '../../../support/handlers/api-calls.ts';
import { createTrio } from '../../../support/handlers/callers.ts';
import '../../../support/setup/use-table.ts';

/** The rendered events of these entries, as if they were in the caller's feed. */
async function shownTo(caller: Caller, entries: readonly Pick<FeedEntry, 'type' | 'id' | 'own'>[]) {
  const events = await renderEvents(
    caller,
    entries.map((entry, n) => ({
      ...{ inbox: { kind: 'contact', id: caller.id }, feed: 'f', sequence: n + 1, chunk: 1 },
      entry: { version: 1, at: 1, ...entry },
    })),
    new Set(),
  );
  return events.map((event) => event?.payload);
}

test('For a conversation without access, a feed shows no event except the deletion, and that only once it is deleted', async () => {
  const { cleo, xavier, tina } = createTrio();
  const { id } = await create(cleo, { contact_id: xavier.id });
  const message = await send(cleo, id, 'Hello');
  const entries = [
    { type: 'conversation.updated', id, own: true },
    { type: 'conversation.created', id },
    { type: 'message.created', id: message.id },
  ] as const;
  expect(await shownTo(tina, entries)).toEqual([undefined, undefined, undefined]);
  expect((await shownTo(xavier, entries))[2]).toEqual(message);
  await removeConversation(cleo, id);
  expect(await shownTo(tina, entries)).toEqual([
    undefined,
    { id, deleted: true },
    { id: message.id, conversation_id: id, deleted: true },
  ]);
});
