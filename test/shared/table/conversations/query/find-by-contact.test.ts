import { expect, test } from '@jest/globals';
import {
  findDirectConversationIds,
  findGroupConversationIds,
  findGroupConversations,
} from '../../../../../shared/table/conversations/query/find-by-contact.ts';
import { create, removeConversation } from '../../../../support/handlers/api-calls.ts';
import { person } from '../../../../support/people/callers.ts';
import '../../../../support/setup/use-table.ts';

const inTeam = (id: string) => person(id, { groups: ['team', 'other'] });
const all = { limit: 100 };

/**
 * Returns the contact, the ids of its direct conversations with bob, and the id of the team's
 * conversation that names bob.
 */
async function conversationsWithBob(contactId: string) {
  const [one, bob] = [inTeam(contactId), inTeam('bob')];
  const first = await create(one, { contact_id: 'bob' });
  await create(one, { contact_id: 'carl' });
  const second = await create(bob, { contact_id: contactId });
  const named = await create(one, { contact_id: 'bob', group_id: 'team' });
  await create(one, { contact_id: 'bob', group_id: 'other' });
  await create(one, { group_id: 'team' });
  const third = await create(one, { contact_id: 'bob' });
  return { one, direct: [first.id, second.id, third.id], named: named.id };
}

test('Direct conversations are found from either contact’s side, newest or oldest first, up to the limit', async () => {
  const { direct } = await conversationsWithBob('ann');
  const newestFirst = direct.toReversed();
  expect(await findDirectConversationIds('ann', 'bob', all)).toEqual(newestFirst);
  expect(await findDirectConversationIds('bob', 'ann', all)).toEqual(newestFirst);
  expect(await findDirectConversationIds('bob', 'ann', { limit: 1 })).toEqual(
    newestFirst.slice(0, 1),
  );
  expect(await findDirectConversationIds('ann', 'bob', { limit: 2, oldest: true })).toEqual(
    direct.slice(0, 2),
  );
});

test('If both contacts are the same, only a conversation with oneself is found', async () => {
  const { id } = await create(person('olga'), { contact_id: 'olga' });
  await create(person('olga'), { contact_id: 'bob' });
  expect(await findDirectConversationIds('olga', 'olga', all)).toEqual([id]);
});

test('Group conversations are found only if both the group and the named contact match', async () => {
  const { one, named } = await conversationsWithBob('pia');
  expect(await findGroupConversationIds('team', 'bob', all)).toContain(named);
  expect(await findGroupConversationIds('team', one.id, all)).toEqual([]);
  expect(await findGroupConversationIds('elsewhere', 'bob', all)).toEqual([]);
  expect(await findGroupConversationIds('tea', 'bob', all)).toEqual([]);
});

test('A search for group conversations that name a contact returns each conversation’s group, and whether the list is complete', async () => {
  const rob = inTeam('rob');
  const createIn = (group_id: string) => create(rob, { contact_id: 'sue', group_id });
  const [first, second] = [await createIn('other'), await createIn('team')];
  await create(rob, { contact_id: 'sue' });
  const found = [
    { id: second.id, group: 'team' },
    { id: first.id, group: 'other' },
  ];
  expect(await findGroupConversations('sue', 100)).toEqual({ found, isComplete: true });
  expect(await findGroupConversations('sue', 1)).toEqual({
    found: found.slice(0, 1),
    isComplete: false,
  });
});

test('A deleted conversation is not found', async () => {
  const { one, direct } = await conversationsWithBob('quin');
  const [first = '', ...others] = direct;
  await removeConversation(one, first);
  expect(await findDirectConversationIds('quin', 'bob', { ...all, oldest: true })).toEqual(others);
});
