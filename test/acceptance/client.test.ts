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

const startLive = (member: Member) =>
  live(
    createClient({ url: env('API_URL'), token: () => member.token, fetch: fetchFromAllowedOrigin }),
    { conversations: { expand: ['last_message', 'unread_count', 'mentioned'] } },
  );

describe('A conversation that is open in two clients', () => {
  const inboxes = new Map<Member, LiveInbox>();
  let conversationId: string;
  let annsConversation: OpenConversation;
  let bobsConversation: OpenConversation;

  beforeAll(async () => {
    const { id } = await call(ann, createConversation, { body: { contact_id: bob.id } });
    conversationId = id;
    const [annsInbox, bobsInbox] = [startLive(ann), startLive(bob)];
    inboxes.set(ann, annsInbox).set(bob, bobsInbox);
    annsConversation = annsInbox.open(id);
    bobsConversation = bobsInbox.open(id, { peek: true });
    await eventually(async () => {
      for (const one of [annsConversation, bobsConversation])
        expect(one.getSnapshot().status).toBe('ready');
      for (const inbox of [annsInbox, bobsInbox]) expect(inbox.getSnapshot().status).toBe('live');
    });
  });
  afterAll(() => {
    for (const inbox of inboxes.values()) inbox.close();
  });

  const listed = (member: Member) =>
    inboxes
      .get(member)
      ?.getSnapshot()
      .conversations.find(({ id }) => id === conversationId);

  test('shows a reply’s quoted message in both clients, updated after an edit and removed after a deletion', async () => {
    const question = await annsConversation.send({ message: 'Lunch?' });
    await eventually(async () =>
      expect(bobsConversation.getSnapshot().messages[0]?.id).toBe(question.id),
    );
    const reply = await bobsConversation.send({ message: 'Yes!', reply_to_id: question.id });
    const quoted = (open: OpenConversation) =>
      open.getSnapshot().messages.find(({ id }) => id === reply.id)?.reply_to;
    await eventually(async () => {
      for (const open of [annsConversation, bobsConversation])
        expect(quoted(open)).toMatchObject({ message: 'Lunch?' });
    });
    await annsConversation.update(question.id, { message: 'Dinner?' });
    await eventually(async () => {
      for (const open of [annsConversation, bobsConversation])
        expect(quoted(open)).toMatchObject({ message: 'Dinner?' });
    });
    await bobsConversation.update(reply.id, { reactions: { ok: [bob.id] } });
    await annsConversation.delete(question.id);
    await eventually(async () => {
      for (const open of [annsConversation, bobsConversation]) expect(quoted(open)).toBeNull();
    });
  });

  test('is marked as mentioning a contact only in that contact’s list, until the contact reads the message', async () => {
    await annsConversation.send({ message: 'For you', mentions: [bob.id] });
    await eventually(async () => {
      expect(bobsConversation.getSnapshot().messages[0]).toMatchObject({ mentions: [bob.id] });
      expect([listed(ann)?.mentioned, listed(bob)?.mentioned]).toEqual([false, true]);
    });
    await bobsConversation.markRead();
    await eventually(async () => {
      expect(listed(bob)).toMatchObject({ mentioned: false, unread_count: 0 });
    });
  });

  test('shows the sender the last message that the recipient has read', async () => {
    await annsConversation.loadReaders();
    const sent = await annsConversation.send({ message: 'Seen?' });
    await eventually(async () =>
      expect(bobsConversation.getSnapshot().messages[0]?.id).toBe(sent.id),
    );
    const seen = () =>
      annsConversation.getSnapshot().readers.find(({ contact_id }) => contact_id === bob.id)
        ?.last_read_message_id ?? '';
    expect(seen() < sent.id).toBe(true);
    await bobsConversation.markRead();
    await eventually(async () => expect(seen()).toBe(sent.id));
  });

  test('counts a message as unread on all devices of a contact who marked it as unread', async () => {
    const device = startLive(bob);
    const { id } = await annsConversation.send({ message: 'Later' });
    await eventually(async () => expect(bobsConversation.getSnapshot().messages[0]?.id).toBe(id));
    await bobsConversation.markRead();
    await bobsConversation.markUnread(id);
    await eventually(async () => {
      const otherDevice = device
        .getSnapshot()
        .conversations.find((one) => one.id === conversationId);
      expect([listed(bob)?.unread_count, otherDevice?.unread_count]).toEqual([1, 1]);
    });
    device.close();
  });
});
