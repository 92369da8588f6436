import { afterEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../shared/caller.ts';
import {
  createConversation,
  listConversations,
  listMessages,
  retrieveContact,
  retrieveConversation,
  retrieveMessage,
  sendMessage,
  updateConversation,
} from '../../shared/contract/operations.ts';
import {
  changeConversation,
  create,
  edit,
  getConversation,
  getConversations,
  getMessage,
  list,
  removeConversation,
  removeMessage,
  send,
} from '../support/handlers/api-calls.ts';
import { ok, refused, request } from '../support/handlers/invoke-handler.ts';
import { person } from '../support/people/callers.ts';
import { freezeIndexes } from '../support/table/stale-indexes.ts';
import '../support/setup/use-table.ts';

let catchUp = () => {};
afterEach(() => catchUp());
const behind = async () => {
  catchUp = await freezeIndexes();
};

let people = 0;
async function twoPeople() {
  people += 1;
  const [one, other] = [person(`one-${people}`), person(`other-${people}`)];
  const { id } = await create(one, { contact_id: other.id });
  const message = await send(other, id, 'Hello');
  return { one, other, id, message };
}

const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
const across = async (as: Caller) => idsOf(await ok(listMessages, { as }));
const withEverything = (as: Caller, query = {}) =>
  ok(listConversations, {
    as,
    query: { ...query, 'expand[]': ['contact', 'last_message', 'unread_count'] },
  });

describe('While indexes are stale', () => {
  test('every participant can use new conversations and messages immediately', async () => {
    const { one, other } = await twoPeople();
    await behind();
    const { id } = await create(one, { contact_id: other.id });
    const message = await send(one, id, 'Hello');
    expect(await getConversation(other, id)).toMatchObject({ id, last_opened_at: null });
    expect(idsOf(await list(other, id))).toEqual([message.id]);
    expect(await getMessage(one, message.id)).toMatchObject({ read_at: expect.any(Number) });
    await edit(one, message.id, { message: 'Hello!' });
    await changeConversation(other, id, { pinned_message_id: message.id, is_muted: true });
    expect(await getConversation(other, id)).toMatchObject({
      pinned_message_id: message.id,
      is_muted: true,
      last_opened_at: expect.any(Number),
    });
    await removeMessage(one, message.id);
    expect(idsOf(await list(other, id))).toEqual([]);
    expect((await getConversation(one, id)).pinned_message_id).toBeNull();
  });

  test('a deleted conversation returns 404, and only the list by activity contains it until the index is up to date', async () => {
    const { one, other, id, message } = await twoPeople();
    await changeConversation(one, id, { is_pinned: true });
    await behind();
    await removeConversation(other, id);
    const path = { conversation_id: id };
    expect(await refused(retrieveConversation, { as: one, path })).toMatchObject({ status: 404 });
    expect(
      await refused(retrieveMessage, { as: one, path: { message_id: message.id } }),
    ).toMatchObject({ status: 404 });
    expect(await refused(listMessages, { as: one, query: path })).toMatchObject({ status: 404 });
    const sent = { as: one, body: { ...path, message: 'Hello?' } };
    expect(await refused(sendMessage, sent)).toMatchObject({ status: 404 });
    const changed = { as: one, path, body: { is_muted: true } };
    expect(await refused(updateConversation, changed)).toMatchObject({ status: 404 });
    expect(
      await refused(retrieveContact, { as: one, path: { contact_id: other.id } }),
    ).toMatchObject({ status: 404 });
    expect(await across(one)).toEqual([]);
    expect(idsOf(await getConversations(one, { pinned: 'true' }))).toEqual([]);
    expect(idsOf(await getConversations(one, { contact_id: other.id }))).toEqual([]);
    expect(idsOf(await getConversations(one))).toEqual([id]);
    expect((await withEverything(one)).data).toMatchObject([
      { id, last_message: null, unread_count: 0 },
    ]);
    catchUp();
    expect(idsOf(await getConversations(one))).toEqual([]);
  });

  test('lists show the current newest message and unread count of each conversation', async () => {
    const { one, other, id } = await twoPeople();
    await list(one, id);
    await behind();
    const newest = await send(other, id, 'Are you there?');
    expect((await withEverything(one)).data).toMatchObject([
      { id, last_message: { id: newest.id }, unread_count: 1 },
    ]);
    expect((await across(one))[0]).toBe(newest.id);
    await list(one, id);
    expect((await withEverything(one)).data).toMatchObject([{ id, unread_count: 0 }]);
  });

  test('a retrieved conversation has the current flags, and lists filter by them when the index is up to date', async () => {
    const { one, id } = await twoPeople();
    await behind();
    expect(await changeConversation(one, id, { is_muted: true })).toMatchObject({ is_muted: true });
    expect(await getConversation(one, id)).toMatchObject({ is_muted: true });
    const tag = (await request(retrieveConversation, { as: one, path: { conversation_id: id } }))
      .headers.ETag;
    const unmuted = { as: one, path: { conversation_id: id }, body: { is_muted: false } };
    expect(
      await ok(updateConversation, { ...unmuted, headers: { 'If-Match': `${tag}` } }),
    ).toMatchObject({ is_muted: false });
    await changeConversation(one, id, { is_muted: true });
    expect(idsOf(await getConversations(one, { muted: 'true' }))).toEqual([]);
    catchUp();
    expect(idsOf(await getConversations(one, { muted: 'true' }))).toEqual([id]);
    expect(idsOf(await getConversations(one, { 'exclude[]': ['muted'] }))).toEqual([]);
  });

  test('concurrent requests from both contacts for a distinct conversation return one conversation', async () => {
    const { one, other, id } = await twoPeople();
    await removeConversation(one, id);
    await behind();
    const createDistinct = (as: Caller, contact_id: string) =>
      ok(createConversation, { as, body: { contact_id, distinct: true } });
    const [first, second] = await Promise.all([
      createDistinct(one, other.id),
      createDistinct(other, one.id),
    ]);
    expect(first.id).toBe(second.id);
    expect((await createDistinct(one, other.id)).id).toBe(first.id);
  });

  test('a list of conversations has no duplicates, and is complete when the index is up to date', async () => {
    const { one, other, id } = await twoPeople();
    const { id: second } = await create(other, { contact_id: one.id });
    await behind();
    const { id: third } = await create(one, { contact_id: other.id });
    await send(one, id, 'Hello again');
    expect(idsOf(await getConversations(one)).toSorted()).toEqual([id, second].toSorted());
    catchUp();
    expect(idsOf(await getConversations(one))).toEqual([id, third, second]);
  });
});
