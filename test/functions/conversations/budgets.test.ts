import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { deleteConversation, updateConversation } from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/usage.ts';
import { ok } from '../../support/handlers.ts';
import { ann, bob, person } from '../../support/people.ts';
import { seedConversations, seedFlags } from '../../support/seed-conversations.ts';
import {
  change,
  conversationsOf,
  create,
  list,
  removeConversation,
  send,
} from '../../support/steps.ts';
import '../../support/table.ts';

/** What a call asks of the table: calls, read units, write units (indexes included). */
async function costOf(call: Promise<unknown>) {
  await call;
  const { table_calls, read_units, write_units } = usage;
  return [table_calls, read_units, write_units];
}

/** Somebody with that many conversations and groups, all of them muted, half archived, half pinned. */
async function someoneWith(conversations: number, groupCount: number): Promise<Caller> {
  const groups = Array.from(
    { length: groupCount },
    (_, n) => `${conversations}-${groupCount}-${n}`,
  );
  const id = `someone-${conversations}-${groupCount}`;
  const inboxes = [
    { created_by: id, contact_id: 'bob' },
    { created_by: 'bob', contact_id: id },
    ...groups.map((group_id) => ({ created_by: id, group_id })),
  ];
  const each = Math.ceil(conversations / inboxes.length);
  const created_at = Date.now() - 1_000_000;
  const ids = await seedConversations(
    inboxes.flatMap((inbox, i) =>
      Array.from({ length: each }, (_, n) => ({ ...inbox, created_at: created_at + n * 20 + i })),
    ),
  );
  await seedFlags(id, ids, (n) => ({
    is_muted: true,
    archived_at: n % 2 ? 5 : undefined,
    is_pinned: n % 4 > 1,
  }));
  return person(id, { groups });
}

describe.each([
  [10, 1],
  [10, 10],
  [1000, 1],
  [1000, 10],
])('What listing costs somebody with %i conversations and %i groups', (conversations, groups) => {
  let someone: Caller;
  beforeAll(async () => {
    someone = await someoneWith(conversations, groups);
  });
  const inboxes = 2 + groups;

  test('ten of all: a query for each inbox, and the flags', async () => {
    const cost = await costOf(conversationsOf(someone));
    expect(cost).toEqual([inboxes + 1, inboxes / 2 + 5, 0]);
    const [, reads = 0] = cost;
    expect(reads).toBeLessThanOrEqual(1 + groups + 5);
  });

  test('the next ten by the link costs the same, by an id one call more to find its place', async () => {
    const { data } = await conversationsOf(someone, { limit: '1' });
    const { id = '', created_at = 0 } = data[0] ?? {};
    const byLink = { limit: '5', starting_after: `${id}~${created_at * 1000 + 999}` };
    expect(await costOf(conversationsOf(someone, byLink))).toEqual([
      inboxes + 1,
      inboxes / 2 + 2.5,
      0,
    ]);
    const byId = { limit: '5', starting_after: id };
    const [calls, reads = 0, writes] = await costOf(conversationsOf(someone, byId));
    expect([calls, writes]).toEqual([inboxes + 2, 0]);
    expect(reads).toBeLessThanOrEqual(inboxes / 2 + 2.5 + 1);
  });

  test.each<[string, Record<string, string>, number]>([
    ['one flag', { muted: 'true' }, 4],
    ['two flags', { muted: 'true', archived: 'true' }, 2],
    ['three flags', { muted: 'true', archived: 'true', pinned: 'true' }, 1],
  ])(
    'ten with %s: a query for each set of flags, and the conversations',
    async (_, query, sets) => {
      const [calls, reads = 0, writes] = await costOf(conversationsOf(someone, query));
      expect([calls, writes]).toEqual([sets + 1, 0]);
      expect(reads).toBeLessThanOrEqual(sets / 2 + 11);
    },
  );
});

describe('What changing a conversation costs', () => {
  const member = person('ann', { groups: ['team'] });
  /** Opened by both, so that there are settings: DynamoDB Local reads for nothing what is not there. */
  async function direct() {
    const conversation = await create(ann, { contact_id: 'bob' });
    for (const as of [ann, bob]) await list(as, conversation.id);
    return conversation;
  }
  const tagged = { 'If-Match': '*' };

  test('a flag: to set, to add one, to take one back, to leave as it is', async () => {
    const { id } = await direct();
    expect(await costOf(change(ann, id, { is_muted: true }))).toEqual([2, 2, 2]);
    expect(await costOf(change(ann, id, { is_pinned: true }))).toEqual([2, 2, 3]);
    expect(await costOf(change(ann, id, { archived_at: 5 }))).toEqual([2, 2, 3]);
    expect(await costOf(change(ann, id, { archived_at: 6 }))).toEqual([2, 2, 2]);
    const none = { is_muted: false, is_pinned: false, archived_at: null };
    expect(await costOf(change(ann, id, none))).toEqual([2, 2, 2]);
    expect(await costOf(change(ann, id, none))).toEqual([1, 2, 0]);
  });

  test('a pin: to set, to move, to take back', async () => {
    const { id } = await direct();
    const [first, second] = [await send(ann, id, 'first'), await send(bob, id, 'second')];
    expect(await costOf(change(ann, id, { pinned_message_id: first.id }))).toEqual([2, 2, 8]);
    expect(await costOf(change(bob, id, { pinned_message_id: second.id }))).toEqual([2, 2, 8]);
    expect(await costOf(change(ann, id, { pinned_message_id: null }))).toEqual([2, 2, 8]);
  });

  test('a flag, with If-Match: the conversation and the settings in one transaction', async () => {
    const { id } = await direct();
    const call = { as: ann, path: { conversation_id: id }, headers: tagged };
    expect(await costOf(ok(updateConversation, { ...call, body: { is_muted: true } }))).toEqual([
      2, 2, 6,
    ]);
  });

  test('to delete it', async () => {
    const { id } = await direct();
    expect(await costOf(removeConversation(bob, id))).toEqual([1, 0, 4]);
    const { id: inGroup } = await create(member, { group_id: 'team' });
    expect(await costOf(removeConversation(member, inGroup))).toEqual([1, 0, 3]);
    const call = { as: ann, path: { conversation_id: (await direct()).id }, headers: tagged };
    expect(await costOf(ok(deleteConversation, call))).toEqual([2, 2, 10]);
  });
});
