import { beforeEach, describe, expect, test } from '@jest/globals';
import { sendMessage } from '../../../../shared/contract/operations.ts';
import { type Inbox, toFeedName } from '../../../../shared/inbox.ts';
import type { PushEvent } from '../../../../shared/push-event.ts';
import { removeItem } from '../../../../shared/table/calls/remove-items.ts';
import { publishToFeeds } from '../../../../shared/table/feed/publish-to-feeds.ts';
import { createPushEventConverter } from '../../../../shared/table/feed/to-push-events.ts';
import {
  changeConversation,
  create,
  edit,
  react,
  removeConversation,
  removeMessage,
  send,
} from '../../../support/handlers/api-calls.ts';
import {
  addMember,
  changeGroup,
  makeGroup,
  removeGroup,
  removeMember,
} from '../../../support/handlers/group-calls.ts';
import { ok } from '../../../support/handlers/invoke-handler.ts';
import { createTrio } from '../../../support/people/callers.ts';
import { queryAll } from '../../../support/table/query-all.ts';
import { readNewRecords } from '../../../support/workers/live-worker.ts';
import '../../../support/setup/use-table.ts';

interface InboxEvents {
  inbox: Inbox;
  events: PushEvent[];
}

/** Publishes all changes since the last call. */
async function publishNew(): Promise<InboxEvents[]> {
  const changes = (await readNewRecords()).map(({ dynamodb }) => ({
    sequenceNumber: dynamodb.SequenceNumber,
    at: 1_800_000_000,
    before: dynamodb.OldImage,
    after: dynamodb.NewImage,
  }));
  const { appended: published, failed } = await publishToFeeds(changes);
  expect(failed.size).toBe(0);
  const toPushEvents = await createPushEventConverter(
    published.flatMap(({ message }) => message ?? []),
  );
  const byFeed = Map.groupBy(published.toReversed(), ({ inbox }) => toFeedName(inbox));
  return Array.from(byFeed.values(), (events) => ({
    inbox: events[0]?.inbox ?? { kind: 'contact', id: '' },
    events: toPushEvents(events),
  }));
}

describe('A push subscription', () => {
  let { cleo, xavier } = createTrio();
  let cleoInbox: Inbox;
  let xavierInbox: Inbox;
  beforeEach(async () => {
    ({ cleo, xavier } = createTrio());
    cleoInbox = { kind: 'contact', id: cleo.id };
    xavierInbox = { kind: 'contact', id: xavier.id };
    await readNewRecords();
  });
  /** Returns the events in ascending order of sequence number. */
  const eventsIn = (all: InboxEvents[], { id }: Pick<Inbox, 'id'>) =>
    (all.find(({ inbox }) => inbox.id === id)?.events ?? []).map(
      ({ event: { type, place, payload }, keepsContent }) => ({
        ...{ type, place, payload },
        ...(keepsContent && { keepsContent }),
      }),
    );

  test('receives a message’s state after each change, but no payload for a created or updated conversation', async () => {
    const { id } = await create(cleo, { contact_id: xavier.id });
    const sent = await send(cleo, id, 'Hello');
    const reacted = await react(xavier, sent.id, { ok: [xavier.id] });
    await changeConversation(xavier, id, { is_muted: true });
    const both = [
      { type: 'conversation.created', place: 1, payload: null },
      { type: 'message.created', place: 2, payload: sent },
      { type: 'message.updated', place: 3, payload: reacted, keepsContent: true },
    ];
    const all = await publishNew();
    expect(all).toHaveLength(2);
    expect(eventsIn(all, cleoInbox)).toEqual(both);
    expect(eventsIn(all, xavierInbox)).toEqual([
      ...both,
      { type: 'conversation.updated', place: 4, payload: null },
    ]);
    const published = all.find(({ inbox }) => inbox.id === cleoInbox.id)?.events[0]?.event;
    expect(published).toEqual({
      ...{ type: 'conversation.created', place: 1, payload: null },
      ...{ id: `${id}-${published?.version}`, version: published?.version },
      ...{ created_at: 1_800_000_000, feed: toFeedName(cleoInbox) },
    });

    const body = { conversation_id: id, message: 'Hi', reply_to_id: sent.id, mentions: [cleo.id] };
    const reply = await ok(sendMessage, { as: xavier, body });
    const { place, ...event } = eventsIn(await publishNew(), cleoInbox)[0] ?? { place: 0 };
    const fields = { reply_to_id: sent.id, reply_to: reacted, mentions: [cleo.id] };
    expect([place, event]).toEqual([
      4,
      { type: 'message.created', payload: { ...reply, ...fields } },
    ]);

    const edited = await edit(cleo, sent.id, { message: 'Hello!' });
    expect(eventsIn(await publishNew(), cleoInbox)).toEqual([
      { type: 'message.updated', place: 5, payload: edited },
    ]);
    await removeMessage(cleo, sent.id);
    await removeConversation(cleo, id);
    expect(eventsIn(await publishNew(), cleoInbox)).toEqual([
      {
        ...{ type: 'message.deleted', place: 6 },
        payload: { id: sent.id, conversation_id: id, deleted: true },
      },
      { type: 'conversation.deleted', place: 7, payload: { id, deleted: true } },
    ]);
  });

  test('receives large content, or a null payload if a later change has removed the content', async () => {
    const { id } = await create(cleo, { contact_id: xavier.id });
    await publishNew();
    const sent = await send(cleo, id, 'x'.repeat(2000));
    expect(eventsIn(await publishNew(), cleoInbox)).toMatchObject([{ payload: sent }]);
    const edited = await edit(cleo, sent.id, { message: 'y'.repeat(2000) });
    await edit(cleo, sent.id, { message: 'Short' });
    const [content] = await queryAll({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      FilterExpression: 'begins_with(message, :text)',
      ExpressionAttributeValues: {
        ...{ ':pk': `CONVERSATION#${id}`, ':prefix': 'MESSAGE_CONTENT#', ':text': 'y' },
      },
    });
    await removeItem({ pk: String(content?.pk), sk: String(content?.sk) });
    expect(eventsIn(await publishNew(), cleoInbox)).toMatchObject([
      { type: 'message.updated', payload: null },
      { type: 'message.updated', payload: { ...edited, message: 'Short' } },
    ]);
  });

  test('receives the state of groups and members after each change', async () => {
    const { id } = await makeGroup(cleo);
    await publishNew();
    await addMember(cleo, id, xavier);
    const all = await publishNew();
    const ids = { id: `${id}-${xavier.id}`, group_id: id, contact_id: xavier.id };
    const member = { ...ids, role: 'member', joined_at: expect.any(Number) };
    const added = { type: 'group.member_added', payload: member };
    expect(eventsIn(all, { id })).toMatchObject([added]);
    expect(eventsIn(all, xavierInbox)).toMatchObject([added]);

    const changed = await changeGroup(cleo, id, { title: 'Climbing' });
    expect(eventsIn(await publishNew(), { id })).toMatchObject([
      { type: 'group.updated', payload: changed },
    ]);

    await removeMember(cleo, id, xavier);
    const removed = { type: 'group.member_removed', payload: { ...ids, deleted: true } };
    const afterwards = await publishNew();
    expect(eventsIn(afterwards, { id })).toMatchObject([removed]);
    expect(eventsIn(afterwards, xavierInbox)).toMatchObject([removed]);

    await removeGroup(cleo, id);
    expect(eventsIn(await publishNew(), cleoInbox)).toMatchObject([
      { type: 'group.deleted', payload: { id, deleted: true } },
    ]);
  });
});
