import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { env } from '../../../shared/env.ts';
import { getItem } from '../../../shared/table/calls/access.ts';
import { client } from '../../../shared/table/calls/client.ts';
import { toErasureUpdate } from '../../../shared/table/erased-contact.ts';
import { contactKey } from '../../../shared/table/keys/keys.ts';
import { measureCost } from '../../commands/cost/measure-budget.ts';
import { create, getContact, list, send } from '../../support/handlers/api-calls.ts';
import { createTrio } from '../../support/handlers/callers.ts';
import '../../support/setup/use-table.ts';

let now: number;
beforeEach(() => {
  now = clock.now();
  jest.spyOn(clock, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const erase = (id: string) =>
  client.send(new UpdateCommand({ TableName: env('TABLE_NAME'), ...toErasureUpdate(id, now) }));
const stored = (id: string) => getItem(contactKey(id));

test('A contact that writes again after its erasure is shown by id alone, and nothing of the token is stored', async () => {
  const { cleo, xavier } = createTrio();
  const { id } = await create(cleo, { contact_id: xavier.id });
  await erase(cleo.id);
  const left = await stored(cleo.id);
  now += 61_000;
  const message = await send({ ...cleo, username: 'Cleo, again' }, id, 'Hello');
  const unknown = {
    id: cleo.id,
    username: null,
    phone_number: null,
    avatar_url: null,
    last_active_at: null,
    created_at: null,
  };
  expect(message.contact).toEqual(unknown);
  expect((await list(xavier, id)).data.map(({ contact }) => contact)).toEqual([unknown]);
  expect(await getContact(xavier, cleo.id)).toEqual(unknown);
  expect(await stored(cleo.id)).toEqual(left);
});

test('An erased contact costs the same calls as others: one per minute', async () => {
  const { cleo, xavier } = createTrio();
  const { id } = await create(cleo, { contact_id: xavier.id });
  const sending = async () => (await measureCost(send(cleo, id, 'Hello'))).calls;
  now += 61_000;
  const before = [await sending(), await sending()];
  await erase(cleo.id);
  now += 61_000;
  expect([await sending(), await sending()]).toEqual(before);
});

test('Code without support for erasure reads the record as a contact without a profile', async () => {
  const { cleo } = createTrio();
  await erase(cleo.id);
  const { erased_at, ...left } = (await stored(cleo.id)) ?? {};
  expect(erased_at).toBe(now);
  expect(left).toEqual({
    ...contactKey(cleo.id),
    id: cleo.id,
    username: null,
    phone_number: null,
    avatar_url: null,
    last_active_at: 0,
    created_at: 0,
  });
});

test('A repeated erasure keeps the time of the first one', async () => {
  const { cleo } = createTrio();
  const first = now;
  await erase(cleo.id);
  now += 1000;
  await erase(cleo.id);
  expect(await stored(cleo.id)).toMatchObject({ erased_at: first });
});
