import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  createConversation,
  listConversations,
  retrieveBusiness,
  retrieveConversation,
} from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import { removeItem } from '../../../shared/table/calls/remove-items.ts';
import { businessKey } from '../../../shared/table/keys/business-keys.ts';
import {
  create,
  getConversations,
  list,
  removeConversation,
  send,
} from '../../support/handlers/api-calls.ts';
import { ok, refused, request } from '../../support/handlers/invoke-handler.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { person } from '../../support/people/callers.ts';
import { createBusinessRecord, seedBusinesses } from '../../support/seeds/seed-businesses.ts';
import { getSortKeys, runPurgeWorker } from '../../support/workers/purge-worker.ts';
import '../../support/setup/use-table.ts';

let cases = 0;
let business_id: string;
let customer: ReturnType<typeof person>;
let staff: ReturnType<typeof person>;
beforeEach(async () => {
  cases += 1;
  business_id = `cafe-${cases}`;
  customer = person(`customer-${cases}`);
  staff = person(`staff-${cases}`, { groups: [`business:${business_id}`] });
  await seedBusinesses(createBusinessRecord(business_id, { title: 'Café', status: 'active' }));
});

describe('A conversation with a business', () => {
  test('is visible only to the customer and the staff', async () => {
    const { id, group_id } = await create(customer, { business_id });
    expect(group_id).toBe(`business:${business_id}`);
    await send(customer, id, 'Are you open on Sunday?');
    const query = { 'expand[]': 'unread_count' };
    const inbox = await ok(listConversations, { as: staff, query });
    expect(inbox.data).toEqual([
      expect.objectContaining({ id, group_id, contact_id: customer.id, unread_count: 1 }),
    ]);
    await send(staff, id, 'From ten to four.');
    const texts = (await list(customer, id)).data.map(({ message }) => message);
    expect(texts).toEqual(['From ten to four.', 'Are you open on Sunday?']);
    for (const groups of [[], ['business:other']]) {
      const call = { as: person('stranger', { groups }), path: { conversation_id: id } };
      expect((await request(retrieveConversation, call)).status).toBe(404);
    }
  });

  test('costs as much as a conversation that the staff creates, plus one table call and one read unit for the listing', async () => {
    const group = { group_id: `business:${business_id}`, contact_id: customer.id };
    const measure = async (...call: Parameters<typeof create>) => {
      // The caller's first request also stores the contact.
      for (let n = 0; n < 2; n++) await create(...call);
      const { table_calls, read_units, write_units } = usage;
      return { table_calls, read_units, write_units };
    };
    expect(await measure(staff, group)).toEqual({ table_calls: 2, read_units: 0, write_units: 13 });
    const withBusiness = { table_calls: 3, read_units: 1, write_units: 13 };
    expect(await measure(customer, { business_id })).toEqual(withBusiness);
  });

  test.each([
    ['does not exist', undefined],
    ['is inactive', { status: 'closed' }],
    ['has no status', {}],
  ])('is refused with 404 and writes nothing if the business %s', async (_, details) => {
    const other = `other-${cases}`;
    if (details) await seedBusinesses(createBusinessRecord(other, details));
    const call = { as: customer, body: { business_id: other } };
    expect(await refused(createConversation, call)).toMatchObject({
      status: 404,
      code: 'not_found',
      param: 'business_id',
    });
    expect(usage.write_units).toBe(0);
  });

  test.each([
    [{ contact_id: 'bob' }],
    [{ group_id: 'team' }],
    [{ contact_id: 'bob', group_id: 'team', distinct: true }],
  ])('is rejected if business_id is combined with %j', async (others) => {
    const call = { as: customer, body: { business_id, ...others } };
    expect(await refused(createConversation, call)).toMatchObject({
      status: 400,
      code: 'parameter_invalid',
    });
  });

  test('cannot be created by a customer who sends the staff’s group_id', async () => {
    const call = { as: customer, body: { group_id: `business:${business_id}` } };
    expect(await refused(createConversation, call)).toMatchObject({
      status: 403,
      code: 'not_allowed',
    });
  });

  test('is created once per Idempotency-Key, even if the business becomes inactive', async () => {
    const call = { as: customer, body: { business_id }, headers: { 'Idempotency-Key': 'once' } };
    const first = await request(createConversation, call);
    await seedBusinesses(createBusinessRecord(business_id, { status: 'closed' }));
    const second = await request(createConversation, call);
    expect([second.status, second.body]).toEqual([201, first.body]);
  });
});

describe('The distinct conversation with a business', () => {
  const distinct = true;

  test('is unique per customer, even under concurrent requests', async () => {
    const both = await Promise.all([1, 2].map(() => create(customer, { business_id, distinct })));
    const later = await create(customer, { business_id, distinct });
    expect(new Set([...both, later].map(({ id }) => id)).size).toBe(1);
    const other = await create(person(`other-${cases}`), { business_id, distinct });
    expect(other.id).not.toBe(later.id);
    expect((await create(customer, { business_id })).id).not.toBe(later.id);
  });

  test('is an existing conversation whose contact is the customer, even if the staff created it', async () => {
    const group_id = `business:${business_id}`;
    const { id } = await create(staff, { group_id, contact_id: customer.id });
    const call = { as: customer, body: { business_id, distinct } };
    const { status, body } = await request(createConversation, call);
    expect([status, body]).toEqual([200, expect.objectContaining({ id })]);
  });

  test('is new after a deletion, and the purge removes all items of the old conversation', async () => {
    createVirtualClock();
    const { id } = await create(customer, { business_id, distinct });
    await removeConversation(customer, id);
    await runPurgeWorker([id]);
    expect(await getSortKeys(id)).toEqual([]);
    const next = await create(customer, { business_id, distinct });
    expect(next.id).not.toBe(id);
    expect((await create(customer, { business_id, distinct })).id).toBe(next.id);
  });
});

describe('Expanding the business of a conversation', () => {
  const query = { 'expand[]': 'business' };

  test('returns the same listing as GET /v1/business/{public_id}, in every operation', async () => {
    const path = { public_id: business_id };
    const business = await ok(retrieveBusiness, { as: customer, path, query: {} });
    const created = await ok(createConversation, { as: customer, body: { business_id }, query });
    expect(created.business).toEqual(business);
    const { data } = await ok(listConversations, { as: staff, query });
    expect(data).toEqual([expect.objectContaining({ business })]);
    const path2 = { conversation_id: created.id };
    expect(await ok(retrieveConversation, { as: staff, path: path2, query })).toMatchObject({
      business,
    });
    expect((await getConversations(staff)).data[0]).not.toHaveProperty('business');
  });

  test('returns null if the conversation has no business or the listing was removed', async () => {
    const { id } = await create(customer, { contact_id: 'bob' });
    await create(customer, { business_id });
    await removeItem(businessKey(business_id));
    const { data } = await ok(listConversations, { as: customer, query });
    expect(data.map(({ business }) => business)).toEqual([null, null]);
    expect(data.map((one) => one.id)).toContain(id);
  });
});
