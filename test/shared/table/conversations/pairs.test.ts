import { expect, test } from '@jest/globals';
import {
  conversationsNaming,
  conversationsOfPair,
} from '../../../../shared/table/conversations/pairs.ts';
import { person } from '../../../support/people.ts';
import { create, removeConversation } from '../../../support/steps.ts';
import '../../../support/table.ts';

const inTeam = (id: string) => person(id, { groups: ['team', 'other'] });
const all = { limit: 100 };

/** Somebody's conversations with bob, and others that are none. */
async function conversationsWithBob(me: string) {
  const [one, bob] = [inTeam(me), inTeam('bob')];
  const first = await create(one, { contact_id: 'bob' });
  await create(one, { contact_id: 'carl' });
  const second = await create(bob, { contact_id: me });
  const named = await create(one, { contact_id: 'bob', group_id: 'team' });
  await create(one, { contact_id: 'bob', group_id: 'other' });
  await create(one, { group_id: 'team' });
  const third = await create(one, { contact_id: 'bob' });
  return { one, direct: [first.id, second.id, third.id], named: named.id };
}

test('Direct conversations of two contacts are found from either side, the newest first', async () => {
  const { direct } = await conversationsWithBob('ann');
  const newestFirst = direct.toReversed();
  expect(await conversationsOfPair('ann', 'bob', all)).toEqual(newestFirst);
  expect(await conversationsOfPair('bob', 'ann', all)).toEqual(newestFirst);
  expect(await conversationsOfPair('bob', 'ann', { limit: 1 })).toEqual(newestFirst.slice(0, 1));
  expect(await conversationsOfPair('ann', 'bob', { limit: 2, oldest: true })).toEqual(
    direct.slice(0, 2),
  );
});

test('Those with oneself are a pair too', async () => {
  const { id } = await create(person('olga'), { contact_id: 'olga' });
  await create(person('olga'), { contact_id: 'bob' });
  expect(await conversationsOfPair('olga', 'olga', all)).toEqual([id]);
});

test('Those of a group are found by whom they name, and not as direct ones', async () => {
  const { one, named } = await conversationsWithBob('pia');
  expect(await conversationsNaming('team', 'bob', all)).toContain(named);
  expect(await conversationsNaming('team', one.id, all)).toEqual([]);
  expect(await conversationsNaming('elsewhere', 'bob', all)).toEqual([]);
});

test('One that is deleted is not found any more', async () => {
  const { one, direct } = await conversationsWithBob('quin');
  const [first = '', ...others] = direct;
  await removeConversation(one, first);
  expect(await conversationsOfPair('quin', 'bob', { ...all, oldest: true })).toEqual(others);
});
