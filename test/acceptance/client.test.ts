import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createClient,
  type LiveInbox,
  live,
  type OpenConversation,
} from '../../client/src/index.ts';
import { createConversation } from '../../shared/contract/operations.ts';
import { env } from '../../shared/env.ts';
import { call, fetchFromAllowedOrigin, type Member, person } from './support/api.ts';
import { eventually } from './support/eventually.ts';

const [ann, bob] = [person('ANN'), person('BOB')];

const startLive = (who: Member) =>
  live(
    createClient({ url: env('API_URL'), token: () => who.token, fetch: fetchFromAllowedOrigin }),
    { conversations: { expand: ['last_message', 'unread_count', 'mentioned'] } },
  );

describe('A conversation that is open in two clients', () => {
  const inboxes = new Map<Member, LiveInbox>();
  let conversationId: string;
  let hers: OpenConversation;
  let his: OpenConversation;

  beforeAll(async () => {
    const { id } = await call(ann, createConversation, { body: { contact_id: bob.id } });
    conversationId = id;
    const [annsInbox, bobsInbox] = [startLive(ann), startLive(bob)];
    inboxes.set(ann, annsInbox).set(bob, bobsInbox);
    hers = annsInbox.open(id);
    his = bobsInbox.open(id, { peek: true });
    await eventually(async () => {
      for (const one of [hers, his]) expect(one.getSnapshot().status).toBe('ready');
      for (const inbox of [annsInbox, bobsInbox]) expect(inbox.getSnapshot().status).toBe('live');
    });
  });
  afterAll(() => {
    for (const inbox of inboxes.values()) inbox.close();
  });

  /** Returns the conversation from a person's list. */
  const listed = (who: Member) =>
    inboxes
      .get(who)
      ?.getSnapshot()
      .conversations.find(({ id }) => id === conversationId);

  test('shows a reply with its quoted message in both clients, updates the quote after an edit, and removes it after a deletion', async () => {
    const question = await hers.send({ message: 'Lunch?' });
    await eventually(async () => expect(his.getSnapshot().messages[0]?.id).toBe(question.id));
    const answer = await his.send({ message: 'Yes!', reply_to_id: question.id });
    const quoted = (open: OpenConversation) =>
      open.getSnapshot().messages.find(({ id }) => id === answer.id)?.reply_to;
    await eventually(async () => {
      for (const open of [hers, his]) expect(quoted(open)).toMatchObject({ message: 'Lunch?' });
    });
    await hers.update(question.id, { message: 'Dinner?' });
    await eventually(async () => {
      for (const open of [hers, his]) expect(quoted(open)).toMatchObject({ message: 'Dinner?' });
    });
    await his.update(answer.id, { reactions: { ok: [bob.id] } });
    await hers.delete(question.id);
    await eventually(async () => {
      for (const open of [hers, his]) expect(quoted(open)).toBeNull();
    });
  });

  test('is marked as mentioning a contact only in the list of that contact, until the contact reads the message', async () => {
    await hers.send({ message: 'For you', mentions: [bob.id] });
    await eventually(async () => {
      expect(his.getSnapshot().messages[0]).toMatchObject({ mentions: [bob.id] });
      expect([listed(ann)?.mentioned, listed(bob)?.mentioned]).toEqual([false, true]);
    });
    await his.markRead();
    await eventually(async () => {
      expect(listed(bob)).toMatchObject({ mentioned: false, unread_count: 0 });
    });
  });

  test('shows the sender the last message that the recipient has read', async () => {
    await hers.loadReaders();
    const sent = await hers.send({ message: 'Seen?' });
    await eventually(async () => expect(his.getSnapshot().messages[0]?.id).toBe(sent.id));
    const seen = () =>
      hers.getSnapshot().readers.find(({ contact_id }) => contact_id === bob.id)
        ?.last_read_message_id ?? '';
    expect(seen() < sent.id).toBe(true);
    await his.markRead();
    await eventually(async () => expect(seen()).toBe(sent.id));
  });

  test('counts a message as unread on all devices of the contact who marked it as unread', async () => {
    const device = startLive(bob);
    const { id } = await hers.send({ message: 'Later' });
    await eventually(async () => expect(his.getSnapshot().messages[0]?.id).toBe(id));
    await his.markRead();
    await his.markUnread(id);
    await eventually(async () => {
      const elsewhere = device.getSnapshot().conversations.find((one) => one.id === conversationId);
      expect([listed(bob)?.unread_count, elsewhere?.unread_count]).toEqual([1, 1]);
    });
    device.close();
  });
});
