import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { deleteMessage } from '../../../shared/contract/operations.ts';
import {
  changeConversation,
  create,
  edit,
  list,
  removeConversation,
  send,
} from '../../support/handlers/api-calls.ts';
import {
  addMember,
  changeGroup,
  makeGroup,
  removeGroup,
  removeMember,
} from '../../support/handlers/group-calls.ts';
import { ok } from '../../support/handlers/invoke-handler.ts';
import { getLiveCursor, listEventsAfter } from '../../support/handlers/list-events.ts';
import { createTrio, person } from '../../support/people/callers.ts';
import { createBusinessRecord, seedBusinesses } from '../../support/seeds/seed-businesses.ts';
import { startFakeEventBus } from '../../support/workers/fake-event-bus.ts';
import {
  getLiveWorkerFilter,
  publishAll,
  readNewRecords,
  runLiveWorker,
} from '../../support/workers/live-worker.ts';
import '../../support/setup/use-table.ts';

let bus: Awaited<ReturnType<typeof startFakeEventBus>>;
beforeAll(async () => {
  bus = await startFakeEventBus();
});
beforeEach(async () => {
  bus.decide = () => undefined;
  await publishAll();
  bus.calls = [];
  bus.takeAccepted();
});
afterAll(() => bus.stop());

const secret = 'A text that stays in the table';

describe('The event bus', () => {
  test('receives one event per change, with ids but without content', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await create(cleo, { contact_id: xavier.id });
    const { id: message } = await send(cleo, id, secret);
    await edit(cleo, message, { message: `${secret}, edited` });
    await changeConversation(cleo, id, { pinned_message_id: message });
    await changeConversation(xavier, id, { is_muted: true });
    await ok(deleteMessage, { as: cleo, path: { message_id: message } });
    await removeConversation(cleo, id);
    await publishAll(1_800_000_000);
    const shared = {
      created_at: 1_800_000_000,
      conversation_id: id,
      created_by: cleo.id,
      contact_id: xavier.id,
      group_id: null,
    };
    const events = bus.takeAccepted();
    const one = (type: string, recipient_id?: string) =>
      events.find((event) => event.type === type && event.recipient_id === recipient_id);
    expect(one('conversation.created')).toEqual({
      ...{ id: `${id}-1`, type: 'conversation.created', version: 1 },
      ...shared,
    });
    expect(one('message.created')).toEqual({
      ...{ id: `${message}-1`, type: 'message.created', version: 1 },
      ...{ ...shared, message_id: message, sender_id: cleo.id },
    });
    expect(one('message.updated')).toMatchObject({ version: 2, sender_id: cleo.id });
    expect(one('message.deleted')).toMatchObject({ message_id: message });
    expect(one('conversation.updated')).not.toHaveProperty('recipient_id');
    expect(one('conversation.updated', xavier.id)).toMatchObject({ conversation_id: id });
    expect(one('conversation.deleted')).toMatchObject(shared);
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  test('receives the same event ids as the feed', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await create(cleo, { contact_id: xavier.id });
    await publishAll();
    bus.takeAccepted();
    const start = await getLiveCursor(xavier);
    await send(cleo, id, 'Hello');
    await list(xavier, id);
    await publishAll();
    const { events } = await listEventsAfter(xavier, start);
    const ids = bus.takeAccepted().map((event) => event.id);
    expect(events.length).toBeGreaterThan(1);
    expect(ids).toEqual(expect.arrayContaining(events.map((event) => event.id)));
  });

  test('receives the group_id of a conversation, and the business_id if the group is the staff of a business', async () => {
    const { cleo } = createTrio();
    const staff = person('sam', { groups: ['team', 'business:cafe'] });
    const { id } = await create(staff, { group_id: 'team' });
    const { id: chat } = await create(staff, { group_id: 'business:cafe', contact_id: cleo.id });
    await publishAll();
    const [first, second] = bus
      .takeAccepted()
      .filter(({ type }) => type === 'conversation.created');
    expect(first).toMatchObject({ conversation_id: id, group_id: 'team', contact_id: null });
    expect(first).not.toHaveProperty('business_id');
    expect(second).toMatchObject({ conversation_id: chat, business_id: 'cafe' });
  });

  test('receives changes to a group and its members once, with ids and without content', async () => {
    const { cleo, xavier } = createTrio();
    const { id: group_id } = await makeGroup(cleo, [], secret);
    await publishAll();
    bus.takeAccepted();
    await addMember(cleo, group_id, xavier);
    await changeGroup(cleo, group_id, { title: `${secret}, renamed` });
    await removeMember(cleo, group_id, xavier);
    await addMember(cleo, group_id, xavier);
    await removeGroup(cleo, group_id);
    await publishAll(1_800_000_000);
    const events = bus.takeAccepted();
    const shared = { created_at: 1_800_000_000, group_id };
    const numbers = { id: expect.any(String), version: expect.any(Number) };
    const ofMember = { ...shared, ...numbers, contact_id: xavier.id };
    const expected = [
      ...['group.member_added', 'group.member_removed', 'group.member_added'].map((type) => ({
        ...ofMember,
        type,
      })),
      ...['group.updated', 'group.deleted'].map((type) => ({ ...shared, ...numbers, type })),
    ];
    expect(events).toEqual(expect.arrayContaining(expected));
    expect(events).toHaveLength(expected.length);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  test('receives one event for the deletion of a group with one owner and three other members', async () => {
    const { cleo, xavier } = createTrio();
    const { id: group_id } = await makeGroup(cleo, [xavier, person('zoe'), person('yann')]);
    await publishAll();
    bus.takeAccepted();
    await removeGroup(cleo, group_id);
    const records = (await readNewRecords()).filter(await getLiveWorkerFilter());
    expect(records).toHaveLength(4);
    for (const record of records) expect(await runLiveWorker([record])).toEqual([]);
    expect(bus.takeAccepted()).toMatchObject([{ type: 'group.deleted', group_id }]);
  });

  test('receives an event for each created or changed business listing, with a higher version for the change', async () => {
    await seedBusinesses(createBusinessRecord('bakery', { description: secret }));
    await publishAll(1_800_000_000);
    await seedBusinesses(createBusinessRecord('bakery', { title: 'Another name' }));
    await publishAll(1_800_000_060);
    expect(bus.takeAccepted()).toEqual([
      {
        ...{ id: 'bakery-1800000000', type: 'business.created', version: 1_800_000_000 },
        ...{ created_at: 1_800_000_000, business_id: 'bakery' },
      },
      {
        ...{ id: 'bakery-1800000060', type: 'business.updated', version: 1_800_000_060 },
        ...{ created_at: 1_800_000_060, business_id: 'bakery' },
      },
    ]);
  });

  test('receives at most ten events per call', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await create(cleo, { contact_id: xavier.id });
    for (let n = 0; n < 24; n++) await send(cleo, id, `${n}`);
    await publishAll();
    expect(bus.calls.map(({ length }) => length).sort()).toEqual([10, 10, 5]);
    expect(bus.takeAccepted()).toHaveLength(25);
  });

  test('receives an event again after refusing it once, and the worker reports no failure', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await create(cleo, { contact_id: xavier.id });
    await publishAll();
    bus.takeAccepted();
    for (const text of ['one', 'two', 'three']) await send(cleo, id, text);
    const refused = new Set<unknown>();
    bus.decide = ({ Detail }) => {
      if (refused.has(Detail.id)) return undefined;
      refused.add(Detail.id);
      return refused.size === 2 ? 'InternalFailure' : undefined;
    };
    await publishAll();
    expect(bus.takeAccepted()).toHaveLength(3);
    expect(bus.calls.map(({ length }) => length)).toEqual([1, 3, 1]);
  });

  test.each([
    ['refuses an event', () => 'ThrottlingException'],
    [
      'fails',
      () => {
        throw new Error('broken');
      },
    ],
  ])(
    '%s, so the worker reports the record as failed, and a retry publishes the event',
    async (_, decide) => {
      const { cleo, xavier } = createTrio();
      const { id } = await create(cleo, { contact_id: xavier.id });
      await publishAll();
      bus.takeAccepted();
      await send(cleo, id, 'Hello');
      const records = (await readNewRecords()).filter(await getLiveWorkerFilter());
      bus.decide = decide;
      const failed = await runLiveWorker(records);
      expect(failed).toEqual(records.map(({ dynamodb }) => dynamodb.SequenceNumber));
      expect(bus.takeAccepted()).toEqual([]);
      bus.decide = () => undefined;
      expect(await runLiveWorker(records)).toEqual([]);
      expect(bus.takeAccepted()).toMatchObject([{ type: 'message.created' }]);
    },
  );
});
