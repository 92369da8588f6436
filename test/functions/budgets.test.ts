import { beforeAll, describe, expect, test } from '@jest/globals';
import { usage } from '../../shared/usage.ts';
import { ann, bob, person } from '../support/people.ts';
import { seedMessages } from '../support/seed.ts';
import { create, list, look, retrieve, send } from '../support/steps.ts';
import '../support/table.ts';

/** What a call asks of the table: calls, read units, write units (indexes included). */
async function costOf(call: Promise<unknown>) {
  await call;
  const { table_calls, read_units, write_units } = usage;
  return [table_calls, read_units, write_units];
}

describe.each([10, 10_000])(
  'What an operation costs, in a conversation of %i messages',
  (count) => {
    let direct: string;
    let group: string;
    let oldest: string;
    const member = person('ann', { groups: ['team'] });

    beforeAll(async () => {
      direct = (await create(ann, { contact_id: 'bob' })).id;
      group = (await create(member, { group_id: 'team' })).id;
      await seedMessages(direct, 'ann', count);
      await seedMessages(group, 'ann', 10);
      oldest = (await list(bob, direct)).data.at(-1)?.id ?? '';
    });

    test.each<[string, () => Promise<unknown>, number[]]>([
      ['create a direct conversation', () => create(ann, { contact_id: 'bob' }), [1, 0, 3]],
      ['create a group conversation', () => create(member, { group_id: 'team' }), [1, 0, 2]],
      ['retrieve a conversation', () => look(bob, direct), [1, 2, 0]],
      ['send', () => send(ann, direct, 'Hello'), [2, 0, 6]],
      ['send to a group', () => send(member, group, 'Hello'), [2, 0, 4]],
      ['list ten, one of them new', () => list(bob, direct), [4, 4, 2]],
      ['list ten', () => list(bob, direct), [2, 4, 0]],
      ['list what is newer', () => list(bob, direct, { ending_before: oldest }), [2, 4, 0]],
      ['retrieve a message', () => retrieve(bob, oldest), [1, 2, 0]],
    ])('%s', async (_, act, cost) => {
      expect(await costOf(act())).toEqual(cost);
    });
  },
);
