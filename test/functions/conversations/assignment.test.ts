import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import {
  listConversations,
  retrieveConversation,
  updateConversation,
} from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import {
  changeConversation,
  create,
  removeConversation,
  send,
} from '../../support/handlers/api-calls.ts';
import { ok, refused, request } from '../../support/handlers/invoke-handler.ts';
import { getLiveCursor, listEventsAfter } from '../../support/handlers/list-events.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { person } from '../../support/people/callers.ts';
import { createBusinessRecord, seedBusinesses } from '../../support/seeds/seed-businesses.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import { getSortKeys, runPurgeWorker } from '../../support/workers/purge-worker.ts';
import '../../support/setup/use-table.ts';

let cases = 0;
let business_id: string;
let customer: Caller;
let kim: Caller;
let lee: Caller;
beforeEach(async () => {
  cases += 1;
  business_id = `shop-${cases}`;
  customer = person(`customer-${cases}`);
  const inStaff = { groups: [`business:${business_id}`] };
  [kim, lee] = [person(`kim-${cases}`, inStaff), person(`lee-${cases}`, inStaff)];
  await seedBusinesses(createBusinessRecord(business_id, { title: 'Shop', status: 'active' }));
});

const expand = { 'expand[]': 'assigned_to' };
const getAssignee = async (as: Caller, conversation_id: string) =>
  (await ok(retrieveConversation, { as, path: { conversation_id }, query: expand })).assigned_to;
const listIds = async (as: Caller, query: Record<string, string>) =>
  (await ok(listConversations, { as, query })).data.map(({ id }) => id);
const assign = (as: Caller, id: string, assigned_to: string | null) =>
  changeConversation(as, id, { assigned_to });

describe('The assignment of a conversation with a business', () => {
  test('moves the conversation from the unassigned list to the assignee’s list, and back', async () => {
    const [first, second] = [
      await create(customer, { business_id }),
      await create(customer, { business_id, distinct: true }),
    ];
    expect(first.id).toBe(second.id);
    const third = await create(customer, { business_id });
    const listed = async () => [
      await listIds(kim, { assigned_to: 'nobody' }),
      await listIds(kim, { assigned_to: 'me' }),
      await listIds(kim, { assigned_to: lee.id, group_id: `business:${business_id}` }),
      await listIds(lee, { assigned_to: 'me' }),
    ];
    expect(await listed()).toEqual([[third.id, first.id], [], [], []]);
    await assign(kim, first.id, kim.id);
    expect(await listed()).toEqual([[third.id], [first.id], [], []]);
    await assign(lee, first.id, lee.id);
    expect(await listed()).toEqual([[third.id], [], [first.id], [first.id]]);
    expect(await getAssignee(kim, first.id)).toBe(lee.id);
    await assign(lee, first.id, null);
    expect(await listed()).toEqual([[third.id, first.id], [], [], []]);
    expect(await getAssignee(kim, first.id)).toBeNull();
  });

  test('succeeds for one of two members who concurrently send the same ETag, and returns 412 to the other', async () => {
    const { id } = await create(customer, { business_id });
    const { headers } = await request(retrieveConversation, {
      as: kim,
      path: { conversation_id: id },
    });
    const take = (as: Caller) =>
      request(updateConversation, {
        as,
        path: { conversation_id: id },
        headers: { 'If-Match': String(headers?.ETag) },
        body: { assigned_to: as.id },
      });
    const replies = await Promise.all([take(kim), take(lee)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412]);
    const winner = replies[0]?.status === 200 ? kim : lee;
    expect(await getAssignee(kim, id)).toBe(winner.id);
    expect((await take(winner)).status).toBe(412);
  });

  test('is hidden from the customer in expansions, lists, ETags and events', async () => {
    const { id } = await create(customer, { business_id });
    await send(customer, id, 'Hello');
    await publishAll();
    const call = { as: customer, path: { conversation_id: id } };
    const before = await request(retrieveConversation, call);
    const cursors = await Promise.all([customer, lee].map(getLiveCursor));
    await assign(kim, id, kim.id);
    await publishAll();
    const after = await request(retrieveConversation, call);
    expect([after.headers?.ETag, after.body]).toEqual([before.headers?.ETag, before.body]);
    expect(await getAssignee(customer, id)).toBeNull();
    for (const assigned_to of ['me', 'nobody', kim.id])
      expect(await listIds(customer, { assigned_to })).toEqual([]);
    expect((await listEventsAfter(customer, cursors[0])).events).toEqual([]);
    const { events } = await listEventsAfter(lee, cursors[1]);
    expect(events).toMatchObject([{ type: 'conversation.updated', payload: { id } }]);
  });

  test.each([
    ['the customer', () => customer],
    ['a member of another business', () => person('other', { groups: ['business:other'] })],
  ])('is rejected for %s', async (role, getCaller) => {
    const { id } = await create(customer, { business_id });
    const as = getCaller();
    const call = { as, path: { conversation_id: id }, body: { assigned_to: as.id } };
    const isCustomer = role === 'the customer';
    expect(await refused(updateConversation, call)).toMatchObject(
      isCustomer
        ? { status: 403, code: 'not_allowed', param: 'assigned_to' }
        : { status: 404, code: 'not_found' },
    );
    expect(usage.write_units).toBe(0);
  });

  test('is rejected in a conversation without a business, and together with a pinned message', async () => {
    const member = person(`member-${cases}`, { groups: [`team-${cases}`] });
    const { id } = await create(member, { group_id: `team-${cases}` });
    const path = { conversation_id: id };
    const call = { as: member, path, body: { assigned_to: member.id } };
    expect(await refused(updateConversation, call)).toMatchObject({ status: 403 });
    const both = { assigned_to: member.id, pinned_message_id: '0'.repeat(44) };
    expect(await refused(updateConversation, { as: member, path, body: both })).toMatchObject({
      ...{ status: 400, code: 'parameter_invalid', param: 'assigned_to' },
    });
  });

  test.each(['me', 'nobody', `business:shop`])(
    'to %s, which is not a contact id, is rejected',
    async (assigned_to) => {
      const { id } = await create(customer, { business_id });
      const call = { as: kim, path: { conversation_id: id }, body: { assigned_to } };
      const error = { status: 400, code: 'parameter_invalid', param: 'assigned_to' };
      expect(await refused(updateConversation, call)).toMatchObject(error);
    },
  );

  test('ends when the conversation is deleted, and the purge removes the assignment from the table', async () => {
    createVirtualClock();
    const { id } = await create(customer, { business_id });
    await assign(kim, id, kim.id);
    await removeConversation(customer, id);
    expect(await listIds(kim, { assigned_to: 'me' })).toEqual([]);
    await runPurgeWorker([id]);
    expect(await getSortKeys(id)).toEqual([]);
  });
});

describe('Listing conversations by assignee', () => {
  test('returns each conversation once across pages', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift((await create(customer, { business_id })).id);
    const query = { assigned_to: 'nobody', limit: '2' };
    const page = await ok(listConversations, { as: kim, query });
    expect([page.has_more, page.data.map(({ id }) => id)]).toEqual([true, ids.slice(0, 2)]);
    const rest = { ...query, starting_after: ids[1] ?? '', limit: '3' };
    const last = await ok(listConversations, { as: kim, query: rest });
    expect([last.has_more, last.data.map(({ id }) => id)]).toEqual([false, ids.slice(2)]);
  });

  test.each([[{ muted: 'true' }], [{ 'exclude[]': 'archived' }], [{ contact_id: 'bob' }]])(
    'is rejected in combination with %j',
    async (filter) => {
      const query = { assigned_to: 'me', ...filter };
      expect(await refused(listConversations, { as: kim, query })).toMatchObject({
        ...{ status: 400, code: 'parameter_invalid', param: 'assigned_to' },
      });
    },
  );

  test('costs three table calls and no writes, and a list of the whole inbox costs five calls', async () => {
    const { id } = await create(customer, { business_id });
    await assign(kim, id, kim.id);
    await listIds(kim, { assigned_to: 'me' });
    expect([usage.table_calls, usage.write_units]).toEqual([3, 0]);
    await listIds(kim, {});
    expect(usage.table_calls).toBe(5);
  });
});
