import { describe, expect, test } from '@jest/globals';
import {
  createConversation,
  deleteConversation,
  deleteMessage,
  listBusinesses,
  listConversations,
  listMessages,
  retrieveBusiness,
  retrieveConversation,
  sendMessage,
  updateConversation,
} from '../../shared/contract/operations.ts';
import { call, getError, type Person, person, send } from './support/api.ts';
import { eventually } from './support/eventually.ts';

const [ann, bob, carol] = [person('ANN'), person('BOB'), person('CAROL')];

const conversationWith = async (person: Person, body: { contact_id?: string; group_id?: string }) =>
  (await call(person, createConversation, { body })).id;

const write = async (person: Person, conversation_id: string, message: string) =>
  (await call(person, sendMessage, { body: { conversation_id, message } })).id;

type Query = Record<string, string | string[]>;

/** Returns the given conversations that a user's list contains, in list order. */
async function listed(person: Person, ids: readonly string[], query: Query = {}) {
  const { data } = await call(person, listConversations, { query: { ...query, limit: '100' } });
  return data.map(({ id }) => id).filter((id) => ids.includes(id));
}

describe('The list of conversations', () => {
  test('starts with the most recently active conversation, for both members', async () => {
    const one = await conversationWith(ann, { contact_id: bob.id });
    const two = await conversationWith(ann, { contact_id: bob.id });
    for (const person of [ann, bob]) {
      await eventually(async () => expect(await listed(person, [one, two])).toEqual([two, one]));
    }
    await write(bob, one, 'Back to the first');
    for (const person of [ann, bob]) {
      await eventually(async () => expect(await listed(person, [one, two])).toEqual([one, two]));
    }
    const query = { starting_after: one, limit: '1' };
    const { data } = await call(ann, listConversations, { query });
    expect(data).toEqual([expect.not.objectContaining({ id: one })]);
  });

  test('filters by the caller’s settings, which do not change the list of the other member', async () => {
    const directConversation = await conversationWith(ann, { contact_id: bob.id });
    const shown = await conversationWith(ann, { contact_id: bob.id });
    const body = { is_pinned: true, archived_at: 1_795_236_716 };
    await call(ann, updateConversation, { path: { conversation_id: shown }, body });
    await eventually(async () => {
      expect(await listed(ann, [directConversation, shown], { pinned: 'true' })).toEqual([shown]);
    });
    expect(
      await listed(ann, [directConversation, shown], { pinned: 'true', archived: 'true' }),
    ).toEqual([shown]);
    expect(await listed(ann, [directConversation, shown], { muted: 'true' })).toEqual([]);
    expect(await listed(bob, [directConversation, shown], { pinned: 'true' })).toEqual([]);
  });

  test('filters by contact, and excludes archived or pinned conversations', async () => {
    const shown = await conversationWith(ann, { contact_id: bob.id });
    const hidden = await conversationWith(bob, { contact_id: ann.id });
    const second = await conversationWith(ann, { contact_id: carol.id });
    const body = { is_muted: true, archived_at: 1_795_236_716 };
    await call(ann, updateConversation, { path: { conversation_id: hidden }, body });
    const all = [shown, hidden, second];
    const withBob = { contact_id: bob.id };
    const lists: [Person, Query, string[]][] = [
      [ann, { 'exclude[]': ['archived', 'pinned'] }, [second, shown]],
      [ann, withBob, [hidden, shown]],
      [ann, { ...withBob, 'exclude[]': 'archived' }, [shown]],
      [ann, { ...withBob, 'exclude[]': 'pinned', muted: 'true' }, [hidden]],
      [bob, { contact_id: ann.id, 'exclude[]': 'archived' }, [hidden, shown]],
    ];
    for (const [person, query, expected] of lists) {
      await eventually(async () => expect(await listed(person, all, query)).toEqual(expected));
    }
  });

  test('returns a group’s conversations to each member of the group', async () => {
    const group_id = ann.groups.find((one) => carol.groups.includes(one));
    if (!group_id) throw new Error('The tokens ANN and CAROL must have a group in common.');
    const id = await conversationWith(ann, { group_id });
    const other = await conversationWith(ann, { contact_id: bob.id });
    const named = await conversationWith(ann, { group_id, contact_id: bob.id });
    const query = { group_id };
    const ids = [id, other, named];
    for (const person of [ann, carol]) {
      await eventually(async () => expect(await listed(person, ids, query)).toEqual([named, id]));
      const withBob = { ...query, contact_id: bob.id };
      await eventually(async () => expect(await listed(person, ids, withBob)).toEqual([named]));
    }
  });
});

test('Listing all messages returns the newest first and does not mark messages as read', async () => {
  const one = await conversationWith(ann, { contact_id: bob.id });
  const two = await conversationWith(carol, { contact_id: bob.id });
  const sent = [
    await write(ann, one, 'First of all'),
    await write(carol, two, 'Second'),
    await write(ann, one, 'Third'),
  ];
  await eventually(async () => {
    const { data } = await call(bob, listMessages, { query: { limit: '100' } });
    const ownMessages = data.filter(({ id }) => sent.includes(id));
    expect(ownMessages.map(({ message, read_at }) => [message, read_at])).toEqual([
      ['Third', null],
      ['Second', null],
      ['First of all', null],
    ]);
  });
});

test('The list of businesses is the same for every caller, in both formats', async () => {
  const all = await call(ann, listBusinesses, { query: { limit: '2' } });
  expect(await call(bob, listBusinesses, { query: { limit: '2' } })).toEqual(all);
  const query = { limit: '2', format: 'camelCase', active: 'true' };
  const active = await call(bob, listBusinesses, { query });
  expect(await call(carol, listBusinesses, { query })).toEqual(active);
});

test('Retrieving a business returns the same data as listing businesses, or 404 for an unknown id', async () => {
  const unknown = await send(bob, retrieveBusiness, { path: { public_id: 'unknown-business' } });
  expect(await getError(retrieveBusiness, unknown)).toEqual({
    code: 'not_found',
    param: 'public_id',
  });
  const { data } = await call(ann, listBusinesses, { query: { limit: '2' } });
  for (const listed of data) {
    if (!('public_id' in listed)) throw new Error('The list is not in snake_case.');
    const path = { public_id: listed.public_id };
    expect(await call(bob, retrieveBusiness, { path })).toEqual(listed);
    const query = { 'expand[]': 'opening' };
    expect(await call(bob, retrieveBusiness, { path, query })).toHaveProperty('opening');
  }
});

test('A search by location, industry or title finds a business, and the next page starts after it', async () => {
  const { data } = await call(ann, listBusinesses, { query: { active: 'true', limit: '100' } });
  const listed = data.flatMap((one) => ('public_id' in one ? [one] : []));
  const complete = listed.find((one) => one.industry && one.title && one.latitude !== null);
  // A new stage has no businesses.
  if (!complete) return;
  const searches: Record<string, string>[] = [
    { near: `${complete.latitude},${complete.longitude}`, radius: '100' },
    { industry: complete.industry ?? '' },
    { q: complete.title ?? '' },
  ];
  for (const search of searches) {
    for (const active of ['true', 'false']) {
      const query = { ...search, active, limit: '100' };
      const found = await call(bob, listBusinesses, { query });
      expect(found.data).toContainEqual(complete);
      const next = { ...query, starting_after: complete.public_id };
      const rest = await call(bob, listBusinesses, { query: next });
      expect(rest.data).not.toContainEqual(complete);
    }
  }
});

test('Every conversation operation can expand the contact and the newest message', async () => {
  const query = { 'expand[]': ['contact', 'last_message'] };
  const created = await call(ann, createConversation, { query, body: { contact_id: bob.id } });
  expect(created).toMatchObject({ contact: { id: bob.id }, last_message: null });
  const path = { conversation_id: created.id };
  const first = await write(ann, created.id, 'Stays');
  const second = await write(ann, created.id, 'Goes');
  const reads = [
    () => call(bob, retrieveConversation, { path, query }),
    () => call(bob, updateConversation, { path, query, body: { is_muted: true } }),
    async () => {
      const sent = { query: { ...query, muted: 'true', limit: '100' } };
      const { data } = await call(bob, listConversations, sent);
      return data.find(({ id }) => id === created.id);
    },
  ];
  for (const read of reads) {
    await eventually(async () =>
      expect(await read()).toMatchObject({ contact: { id: ann.id }, last_message: { id: second } }),
    );
  }
  await call(ann, deleteMessage, { path: { message_id: second } });
  for (const read of reads) {
    await eventually(async () =>
      expect(await read()).toMatchObject({ last_message: { id: first } }),
    );
  }
});

test('Every conversation operation can expand the business of a conversation', async () => {
  const { data } = await call(ann, listBusinesses, { query: { active: 'true', limit: '1' } });
  // A new stage has no businesses.
  for (const business of data) {
    if (!('public_id' in business)) throw new Error('The list is not in snake_case.');
    const query = { 'expand[]': 'business' };
    const body = { business_id: business.public_id, distinct: true };
    const created = await call(ann, createConversation, { query, body });
    expect(created).toMatchObject({ group_id: `business:${business.public_id}`, business });
    const path = { conversation_id: created.id };
    await write(ann, created.id, 'Are you open on Sunday?');
    expect(await call(ann, retrieveConversation, { path, query })).toMatchObject({ business });
    const pin = { path, query, body: { is_pinned: true } };
    expect(await call(ann, updateConversation, pin)).toMatchObject({ business });
    await eventually(async () => {
      const listed = await call(ann, listConversations, { query: { ...query, limit: '100' } });
      expect(listed.data.find(({ id }) => id === created.id)).toMatchObject({ business });
    });
    expect(await call(ann, createConversation, { query, body })).toMatchObject({ id: created.id });
    const refused = await send(bob, retrieveConversation, { path });
    expect(refused.status).toBe(404);
    await call(ann, deleteConversation, { path });
  }
});
