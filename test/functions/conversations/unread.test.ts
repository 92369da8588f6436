import { describe, expect, jest, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { listConversations, retrieveConversation } from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import { update } from '../../../shared/table/calls/access.ts';
import { conversationKey } from '../../../shared/table/keys/keys.ts';
import {
  changeConversation,
  create,
  getConversation,
  getMessage,
  list,
  removeMessage,
  send,
} from '../../support/handlers/api-calls.ts';
import { ok } from '../../support/handlers/invoke-handler.ts';
import { person } from '../../support/people/callers.ts';
import { seedMessages } from '../../support/seeds/seed-messages.ts';
import { beforeFirstCall, isUpdate } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

let people = 0;
async function twoPeople() {
  people += 1;
  const [dora, zoe] = [person(`dora-u${people}`), person(`zoe-u${people}`)];
  return { dora, zoe, id: (await create(dora, { contact_id: zoe.id })).id };
}

const query = { 'expand[]': 'unread_count' };
const unread = async (as: Caller, conversation_id: string) =>
  (await ok(retrieveConversation, { as, path: { conversation_id }, query })).unread_count;
const counts = async (as: Caller, filters: object = {}) => {
  const { data } = await ok(listConversations, { as, query: { ...query, ...filters } });
  return data.map(({ unread_count }) => unread_count);
};

describe('The unread count', () => {
  test('does not change after retrieving or peeking, and does not increase after listing an older page', async () => {
    const { dora, zoe, id } = await twoPeople();
    const ids: string[] = [];
    for (const text of ['1', '2', '3', '4']) ids.push((await send(dora, id, text)).id);
    await getMessage(zoe, ids[3] ?? '');
    await list(zoe, id, { peek: 'true' });
    expect(await unread(zoe, id)).toBe(4);
    await list(zoe, id, { starting_after: ids[2] ?? '' });
    expect(await unread(zoe, id)).toBe(2);
    await list(zoe, id);
    await list(zoe, id, { starting_after: ids[2] ?? '' });
    expect(await unread(zoe, id)).toBe(0);
  });

  test('does not increase if a request for older messages completes after a request for newer messages', async () => {
    const { dora, zoe, id } = await twoPeople();
    const { id: first } = await send(dora, id, '1');
    const { id: second } = await send(dora, id, '2');
    beforeFirstCall(isUpdate('read_place'), () => list(zoe, id));
    await list(zoe, id, { starting_after: second });
    expect(first).toBeDefined();
    expect(await unread(zoe, id)).toBe(0);
  });

  test('does not include the gap left by a crashed send', async () => {
    const { dora, zoe, id } = await twoPeople();
    await send(dora, id, '1');
    await update({
      Key: conversationKey(id),
      UpdateExpression: 'ADD message_count :one',
      ExpressionAttributeValues: { ':one': 1 },
    });
    expect(await unread(zoe, id)).toBe(1);
    await send(dora, id, '3');
    expect(await counts(zoe)).toEqual([2]);
    expect(usage.write_units).toBe(0);
  });

  test.each([
    [99, 99],
    [100, 100],
    [101, 100],
    [450, 100],
  ])('of a conversation with %i unread messages is %i', async (sent, expected) => {
    const { dora, zoe, id } = await twoPeople();
    await seedMessages(id, dora.id, sent);
    expect([await unread(zoe, id), await counts(zoe)]).toEqual([expected, [expected]]);
  });

  test('is returned for archived and muted conversations, and is 0 after they are opened', async () => {
    const { dora, zoe, id } = await twoPeople();
    await changeConversation(zoe, id, { is_muted: true, archived_at: 5 });
    await send(dora, id, '1');
    expect([await counts(zoe, { muted: 'true' }), await counts(zoe)]).toEqual([[1], [1]]);
    await list(zoe, id);
    expect([await counts(zoe, { archived: 'true' }), await counts(zoe)]).toEqual([[0], [0]]);
  });
});

test('If the caller sent the last message, listing messages sets last_opened_at to last_active_at or later, even with a slow clock', async () => {
  const { dora, id } = await twoPeople();
  const start = clock.now();
  const at = (seconds: number) => jest.spyOn(clock, 'now').mockReturnValue(start + seconds * 1000);
  await list(dora, id);
  at(20);
  await send(dora, id, 'mine');
  at(25);
  await list(dora, id);
  const { last_active_at, last_opened_at } = await getConversation(dora, id);
  expect(Number(last_opened_at)).toBeGreaterThanOrEqual(Number(last_active_at));
  at(10);
  await send(dora, id, 'from a clock that is behind');
  await list(dora, id);
  const later = await getConversation(dora, id);
  expect(Number(later.last_opened_at)).toBeGreaterThanOrEqual(Number(later.last_active_at));
});

test('Listing messages sets last_opened_at to last_active_at or later, even if the last message was deleted', async () => {
  const { dora, zoe, id } = await twoPeople();
  const start = clock.now();
  const at = (seconds: number) => jest.spyOn(clock, 'now').mockReturnValue(start + seconds * 1000);
  await send(dora, id, 'stays');
  await list(zoe, id);
  at(20);
  await removeMessage(dora, (await send(dora, id, 'goes')).id);
  at(25);
  await list(zoe, id);
  const { last_active_at, last_opened_at } = await getConversation(zoe, id);
  expect(Number(last_opened_at)).toBeGreaterThanOrEqual(Number(last_active_at));
});
