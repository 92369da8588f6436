import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import {
  createConversation,
  deleteConversation,
  deleteMessage,
  listEvents,
  listMessages,
  retrieveLive,
  sendMessage,
  updateConversation,
} from '../../shared/contract/operations.ts';
import { Event } from '../../shared/contract/resources/event.ts';
import { listSchema } from '../../shared/contract/schema/list-schema.ts';
import { getLinkQuery } from '../response-invariants/page-rules.ts';
import { call, getError, type Person, person, send } from './support/api.ts';
import { eventually } from './support/eventually.ts';

const [ann, bob, carol] = [person('ANN'), person('BOB'), person('CAROL')];

const Page = listSchema(Event);

async function since(person: Person, cursor: string, conversationId: string) {
  const events: Event[] = [];
  for (let next = cursor; ; ) {
    const query = { limit: '2', starting_after: next };
    const response = await send(person, listEvents, { query });
    const page = v.parse(Page, await response.json());
    next = getLinkQuery(response.headers.get('Link'), 'next')?.starting_after ?? '';
    // An event's id begins with the id of its resource. A message's id begins with the id of its
    // conversation.
    events.push(...page.data.filter(({ id }) => id.startsWith(conversationId)));
    if (!page.has_more) return { events, cursor: next };
  }
}

const typesOf = (events: readonly Event[]) => events.map(({ type }) => type);

describe('A client that was offline', () => {
  test('receives missed events if it reads from its cursor, and a non-member receives none', async () => {
    const [start, strangersStart] = await Promise.all(
      [bob, carol].map(async (person) => (await call(person, retrieveLive)).cursor),
    );
    const { id } = await call(ann, createConversation, { body: { contact_id: bob.id } });
    const message = await call(ann, sendMessage, {
      body: { conversation_id: id, message: 'Are you there?' },
    });
    await eventually(async () => {
      const { events } = await since(bob, start ?? '', id);
      // Events of different items may be in any order.
      expect(typesOf(events).sort()).toEqual(['conversation.created', 'message.created']);
      expect(events.map(({ payload }) => payload)).toContainEqual(
        expect.objectContaining({ id: message.id, message: 'Are you there?' }),
      );
    });
    const { cursor } = await since(bob, start ?? '', id);

    await call(bob, listMessages, { query: { conversation_id: id } });
    await call(bob, updateConversation, {
      path: { conversation_id: id },
      body: { is_muted: true, pinned_message_id: message.id },
    });
    await call(ann, deleteMessage, { path: { message_id: message.id } });
    await eventually(async () => {
      const { events } = await since(bob, cursor, id);
      expect(new Set(typesOf(events))).toEqual(
        new Set(['message.updated', 'conversation.updated', 'message.deleted']),
      );
      const deletion = { id: message.id, conversation_id: id, deleted: true };
      expect(events.map(({ payload }) => payload)).toContainEqual(deletion);
    });

    await call(ann, deleteConversation, { path: { conversation_id: id } });
    await eventually(async () => {
      const { events } = await since(bob, cursor, id);
      expect(typesOf(events)).toContain('conversation.deleted');
      // On each page, only the first event of an item has the payload.
      expect(events.map(({ payload }) => payload)).toContainEqual({ id, deleted: true });
    });
    expect((await since(carol, strangersStart ?? '', id)).events).toEqual([]);
  });

  test('reads from the oldest retained event if the request has no cursor, and gets an error if the cursor is invalid or belongs to another user', async () => {
    const { id } = await call(ann, createConversation, { body: { contact_id: bob.id } });
    await eventually(async () => {
      let query: Record<string, string> = { limit: '100' };
      for (;;) {
        const response = await send(bob, listEvents, { query });
        const page = v.parse(Page, await response.json());
        if (page.data.some(({ payload }) => payload?.id === id)) return;
        expect(page.has_more).toBe(true);
        query = getLinkQuery(response.headers.get('Link'), 'next') ?? {};
      }
    });
    const { cursor } = await call(ann, retrieveLive);
    for (const invalidCursor of ['x', cursor]) {
      const response = await send(bob, listEvents, { query: { starting_after: invalidCursor } });
      expect(await getError(listEvents, response)).toEqual({
        code: 'parameter_invalid',
        param: 'starting_after',
      });
    }
  });
});
