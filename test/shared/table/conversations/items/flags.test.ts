import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../../../shared/caller.ts';
import { getItem } from '../../../../../shared/table/calls/access.ts';
import type { FlagChange } from '../../../../../shared/table/conversations/items/flags.ts';
import { changeConversation } from '../../../../../shared/table/conversations/write/change-conversation.ts';
import { settingsKey } from '../../../../../shared/table/keys/keys.ts';
import { create } from '../../../../support/handlers/api-calls.ts';
import { person } from '../../../../support/people/callers.ts';
import '../../../../support/setup/use-table.ts';

const inTeam = (id: string) => person(id, { groups: ['team'] });
const [ann, bob, carl] = ['ann', 'bob', 'carl'].map(inTeam) as [Caller, Caller, Caller];

/** Returns the settings stored after the changes, without their key. */
async function storedAfter(id: string, caller: Caller, ...changes: FlagChange[]) {
  for (const one of changes) await changeConversation(id, caller, one, undefined);
  const key = settingsKey(id, caller.id);
  const { pk, sk, ...stored } = (await getItem(key)) ?? {};
  expect({ pk, sk }).toEqual(key);
  return stored;
}

test.each<[string, FlagChange, object, string]>([
  ['muted', { is_muted: true }, { is_muted: true }, '100'],
  ['archived', { archived_at: 5 }, { archived_at: 5 }, '010'],
  ['pinned', { is_pinned: true }, { is_pinned: true }, '001'],
  [
    'muted and pinned',
    { is_muted: true, is_pinned: true },
    { is_muted: true, is_pinned: true },
    '101',
  ],
  [
    'muted, archived and pinned',
    { is_muted: true, is_pinned: true, archived_at: 5 },
    { is_muted: true, is_pinned: true, archived_at: 5 },
    '111',
  ],
])(
  'The flag index stores a conversation that is %s under exactly that set of flags',
  async (_, change, flags, set) => {
    const { id } = await create(ann, { contact_id: 'bob' });
    expect(await storedAfter(id, ann, change)).toEqual({
      ...flags,
      version: 1,
      contact_id: 'bob',
      gsi3pk: `FLAGGED#ann#${set}`,
      gsi3sk: id,
    });
  },
);

test.each<[string, FlagChange, FlagChange]>([
  ['muted', { is_muted: true }, { is_muted: false }],
  ['archived', { archived_at: 5 }, { archived_at: null }],
  ['pinned', { is_pinned: true }, { is_pinned: false }],
])(
  'The settings of a conversation that is no longer %s keep only their version',
  async (_, set, unset) => {
    const { id } = await create(ann, { group_id: 'team', contact_id: 'ann' });
    expect(await storedAfter(id, ann, set, unset)).toEqual({ version: 2 });
  },
);

describe('For a flagged group conversation,', () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = await create(ann, { group_id: 'team', contact_id: 'bob' }));
  });

  test.each([
    ['a member', carl, { contact_id: 'bob' }],
    ['its creator', ann, { contact_id: 'bob' }],
    ['its named contact', bob, { contact_id: 'ann', is_named: true }],
  ])(
    'the flag index stores the group, the other contact and, for the named contact, `is_named`: %s',
    async (_, caller, named) => {
      expect(await storedAfter(id, caller, { is_muted: true })).toEqual({
        is_muted: true,
        version: 1,
        gsi3pk: `FLAGGED#${caller.id}#100`,
        gsi3sk: id,
        group_id: 'team',
        ...named,
      });
    },
  );
});

test('Setting flags to their current values writes nothing, but a different `archived_at` is stored', async () => {
  const { id } = await create(ann, { contact_id: 'bob' });
  const all = { is_muted: true, is_pinned: true, archived_at: 5 };
  expect(await storedAfter(id, ann, all, all, { is_muted: true })).toMatchObject({ version: 1 });
  expect(await storedAfter(id, ann, { archived_at: 6 })).toMatchObject({
    version: 2,
    archived_at: 6,
  });
});
