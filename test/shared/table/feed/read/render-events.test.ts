import { expect, test } from '@jest/globals';
import type { Caller } from '../../../../../shared/caller.ts';
import { sendMessage } from '../../../../../shared/contract/operations.ts';
import type { FeedEntry } from '../../../../../shared/table/feed/feed-entry.ts';
import { renderEvents } from '../../../../../shared/table/feed/read/render-events.ts';
import {
  create,
  edit,
  removeConversation,
  removeMessage,
  send,
} from '../../../../support/handlers/api-calls.ts';
import { ok } from '../../../../support/handlers/invoke-handler.ts';
import { createTrio } from '../../../../support/people/callers.ts';
import '../../../../support/setup/use-table.ts';

/** Returns the entries' payloads as the caller's feed shows them. */
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

test('Events of a conversation that the caller cannot access are omitted; after the conversation’s deletion, its shared events are shown as deletions', async () => {
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

test('A reply is shown with its mentions and the current state of the quoted message', async () => {
  const { cleo, xavier } = createTrio();
  const { id } = await create(cleo, { contact_id: xavier.id });
  const quoted = await send(cleo, id, 'Lunch?');
  const body = { conversation_id: id, message: 'Yes', reply_to_id: quoted.id };
  const reply = await ok(sendMessage, { as: xavier, body: { ...body, mentions: [cleo.id] } });
  const entries = [
    { type: 'message.created', id: quoted.id },
    { type: 'message.created', id: reply.id },
  ] as const;
  const withMentions = { ...reply, reply_to_id: quoted.id, mentions: [cleo.id] };
  expect(await shownTo(cleo, entries)).toEqual([quoted, { ...withMentions, reply_to: quoted }]);
  const edited = await edit(cleo, quoted.id, { message: 'Dinner?' });
  expect((await shownTo(cleo, entries))[1]).toEqual({ ...withMentions, reply_to: edited });
  await removeMessage(cleo, quoted.id);
  expect((await shownTo(cleo, entries))[1]).toEqual({ ...withMentions, reply_to: null });
});
