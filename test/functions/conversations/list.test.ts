import { describe, expect, test } from '@jest/globals';
import { listConversations } from '../../../shared/contract/operations.ts';
import {
  changeConversation,
  create,
  getConversation,
  getConversations,
  list,
  removeConversation,
  send,
} from '../../support/handlers/api-calls.ts';
import { invalidError } from '../../support/handlers/expected-errors.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { ann, bob, eve, person } from '../../support/people/callers.ts';
import { interceptCalls } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';
import { walkPages } from '../../support/handlers/walk-pages.ts';

const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

let groups = 0;
const newGroup = () => {
  groups += 1;
  const group_id = `group-${groups}`;
  return { group_id, member: person('ann', { groups: [group_id] }) };
};

async function someoneWith(count: number) {
  groups += 1;
  const someone = person(`someone-${groups}`);
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await create(someone, { contact_id: 'bob' })).id);
  return { someone, ids, newestFirst: ids.toReversed() };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

describe('Listing conversations', () => {
  test('returns the caller’s conversations in the caller’s view, most recently active first', async () => {
    const dora = person('dora');
    const own = await create(dora, { contact_id: 'bob' });
    const named = await create(eve, { contact_id: 'dora' });
    await create(eve, { contact_id: 'bob' });
    await changeConversation(dora, own.id, { is_muted: true });
    await send(eve, named.id, 'Hello');
    await send(dora, own.id, 'Hello');
    await list(dora, named.id);

    expect(await getConversations(dora)).toEqual({
      has_more: false,
      data: [await getConversation(dora, own.id), await getConversation(dora, named.id)],
    });
    await send(eve, named.id, 'Hello?');
    expect(idsOf(await getConversations(dora))).toEqual([named.id, own.id]);
  });

  test('returns an empty list without links if the caller has no conversations', async () => {
    const { body, headers } = await request(listConversations, { as: person('unknown') });
    expect({ body, link: headers.Link }).toEqual({
      body: { has_more: false, data: [] },
      link: undefined,
    });
  });

  test('includes each group conversation once, even if the caller is both a group member and the conversation’s contact', async () => {
    const fred = person('fred', { groups: ['chess', 'chess', 'go'] });
    const direct = await create(fred, { contact_id: 'bob' });
    const chess = await create(person('ann', { groups: ['chess'] }), {
      group_id: 'chess',
      contact_id: 'fred',
    });
    const go = await create(person('ann', { groups: ['go'] }), { group_id: 'go' });
    const toFred = await create(fred, { contact_id: 'fred' });
    expect(idsOf(await getConversations(fred))).toEqual([toFred.id, go.id, chess.id, direct.id]);
    expect(idsOf(await getConversations(fred, { limit: '2', starting_after: go.id }))).toEqual([
      chess.id,
      direct.id,
    ]);
  });

  test('filtered by group returns all conversations of the group to a member, and to a non-member only those whose contact is the caller', async () => {
    const { group_id, member } = newGroup();
    const plain = await create(member, { group_id });
    const withBob = await create(member, { group_id, contact_id: 'bob' });
    await create(member, { contact_id: 'bob' });
    const seenBy = async (as: typeof ann) => idsOf(await getConversations(as, { group_id }));

    expect(await seenBy(member)).toEqual([withBob.id, plain.id]);
    expect(await seenBy(person('carl', { groups: [group_id] }))).toEqual([withBob.id, plain.id]);
    expect(await seenBy(bob)).toEqual([withBob.id]);
    expect(await seenBy(eve)).toEqual([]);
    expect(await seenBy(ann)).toEqual([]);
  });

  test('filtered by flags includes a group conversation whose contact is the caller, even if the caller is not a member', async () => {
    const { group_id, member } = newGroup();
    const named = person(`named-in-${group_id}`);
    const { id } = await create(member, { group_id, contact_id: named.id });
    await changeConversation(named, id, { is_muted: true });
    for (const query of [{ muted: 'true' }, { muted: 'true', group_id }]) {
      expect(idsOf(await getConversations(named, query))).toEqual([id]);
    }
  });

  test('excludes conversations of a group that the caller has left, with and without a filter by flags', async () => {
    const { group_id, member } = newGroup();
    const { id } = await create(member, { group_id });
    await changeConversation(member, id, { is_muted: true });
    expect(idsOf(await getConversations(member, { muted: 'true' }))).toContain(id);
    expect(idsOf(await getConversations(ann, { muted: 'true' }))).not.toContain(id);
    expect(idsOf(await getConversations(ann))).not.toContain(id);
  });

  test('includes archived conversations by default and with archived=false', async () => {
    const { someone, ids, newestFirst } = await someoneWith(3);
    await changeConversation(someone, ids[1] ?? '', { archived_at: 5 });
    expect(idsOf(await getConversations(someone))).toEqual(newestFirst);
    expect(idsOf(await getConversations(someone, { archived: 'false', muted: 'false' }))).toEqual(
      newestFirst,
    );
  });

  test('filtered by archived includes a conversation whose archived_at is 0', async () => {
    const { someone, ids } = await someoneWith(1);
    await changeConversation(someone, ids[0] ?? '', { archived_at: 0 });
    expect(idsOf(await getConversations(someone, { archived: 'true' }))).toEqual(ids);
  });

  test('filtered by flags sorts by creation time, newest first, regardless of activity', async () => {
    const { someone, ids, newestFirst } = await someoneWith(3);
    for (const id of ids) await changeConversation(someone, id, { is_pinned: true });
    await send(someone, ids[0] ?? '', 'Hello');
    const { data } = await getConversations(someone, { pinned: 'true' });
    expect(data).toEqual(await Promise.all(newestFirst.map((id) => getConversation(someone, id))));
  });

  test('filters by the caller’s current flags', async () => {
    const { someone, ids } = await someoneWith(1);
    const [id = ''] = ids;
    await changeConversation(someone, id, { is_pinned: true, is_muted: true, archived_at: 5 });
    expect(idsOf(await getConversations(bob, { muted: 'true' }))).toEqual([]);
    await changeConversation(someone, id, { is_muted: false });
    expect(idsOf(await getConversations(someone, { muted: 'true' }))).toEqual([]);
    expect(idsOf(await getConversations(someone, { archived: 'true', pinned: 'true' }))).toEqual([
      id,
    ]);
    await changeConversation(someone, id, { is_pinned: false, archived_at: null });
    expect(idsOf(await getConversations(someone, { pinned: 'true' }))).toEqual([]);
  });

  test('filtered by flags and group fills the page even if most muted conversations belong to another group and one muted conversation is deleted', async () => {
    const { group_id, member } = newGroup();
    const other = newGroup();
    const me = { ...member, id: 'gina', groups: [group_id, other.group_id] };
    const wanted: string[] = [];
    for (let n = 0; n < 60; n++) {
      const { id } = await create(me, { group_id: n % 20 === 0 ? group_id : other.group_id });
      if (n % 20 === 0) wanted.unshift(id);
      await changeConversation(me, id, { is_muted: true });
    }
    const deleted = await create(me, { group_id });
    await changeConversation(me, deleted.id, { is_muted: true });
    await removeConversation(me, deleted.id);
    const query = { muted: 'true', group_id };
    const first = await getConversations(me, { ...query, limit: '2' });
    expect({ ...first, data: idsOf(first) }).toEqual({ has_more: true, data: wanted.slice(0, 2) });
    const all = await getConversations(me, { ...query, limit: '3' });
    expect({ ...all, data: idsOf(all) }).toEqual({ has_more: false, data: wanted });
  });
});

describe('Paging through conversations', () => {
  test('with next links returns every conversation once, even if the conversation at the cursor moves or is deleted', async () => {
    const { someone, ids, newestFirst } = await someoneWith(6);
    let step = 0;
    const pages = await walkPages(listConversations, someone, 'next', { limit: '2' }, async () => {
      step += 1;
      if (step === 1) await send(someone, ids[4] ?? '', 'the last of the first page moves up');
      if (step === 2) await removeConversation(someone, ids[2] ?? '');
    });
    expect(pages.flatMap(idsOf)).toEqual(newestFirst);
  });

  test('starts at the current position of the conversation whose id is the cursor', async () => {
    const { someone, ids } = await someoneWith(3);
    const [first = '', second = '', third = ''] = ids;
    await send(someone, first, 'up');
    expect(idsOf(await getConversations(someone, { starting_after: first }))).toEqual([
      third,
      second,
    ]);
    expect(idsOf(await getConversations(someone, { ending_before: third }))).toEqual([first]);
  });

  test('returns a conversation once, in its new state, if it moves during a read', async () => {
    const { group_id, member } = newGroup();
    const hugo = person('hugo', { groups: [group_id] });
    const both = await create(member, { group_id, contact_id: 'hugo' });
    const other = await create(hugo, { contact_id: 'bob' });
    let moved = false;
    const undo = interceptCalls(async ({ input }, proceed) => {
      while (JSON.stringify(input).includes(`INBOX#GROUP#${group_id}`) && !moved) await turn();
      await proceed();
      if (!JSON.stringify(input).includes('gsi2')) return;
      undo();
      await send(member, both.id, 'up');
      moved = true;
    });
    const page = await getConversations(hugo);
    expect(page).toEqual({
      has_more: false,
      data: [await getConversation(hugo, both.id), await getConversation(hugo, other.id)],
    });
  });

  test('returns a conversation only once if it moves between two queries of a page', async () => {
    const [wanted, others] = [newGroup(), newGroup()];
    const ida = person('ida');
    const invite = async ({ group_id, member }: typeof wanted) =>
      (await create(member, { group_id, contact_id: ida.id })).id;
    const [oldest, moving] = [await invite(wanted), await invite(wanted)];
    for (let n = 0; n < 3; n++) await invite(others);
    const newest = await invite(wanted);
    let rounds = 0;
    const undo = interceptCalls(async ({ operation }, proceed) => {
      if (operation === 'Query') rounds += 1;
      if (operation === 'Query' && rounds === 2) {
        undo();
        await send(ida, moving, 'up');
      }
      await proceed();
    });
    const query = { group_id: wanted.group_id, limit: '2', ending_before: oldest };
    const page = await getConversations(ida, query);
    expect({ ...page, data: idsOf(page) }).toEqual({ has_more: false, data: [newest, moving] });
    expect(rounds).toBe(2);
  });

  test('filtered by flags accepts as a cursor a conversation that was deleted or has lost its flag', async () => {
    const { someone, ids } = await someoneWith(4);
    const [first = '', second = '', third = '', fourth = ''] = ids;
    for (const id of ids) await changeConversation(someone, id, { is_muted: true });
    await changeConversation(someone, second, { is_muted: false });
    await removeConversation(someone, third);
    for (const cursor of [second, third, `${third}~text`]) {
      const after = await getConversations(someone, { muted: 'true', starting_after: cursor });
      expect(idsOf(after)).toEqual([first]);
      const before = await getConversations(someone, { muted: 'true', ending_before: cursor });
      expect(idsOf(before)).toEqual([fourth]);
    }
  });

  test('rejects a cursor that does not identify a conversation in the list', async () => {
    const { someone, ids } = await someoneWith(2);
    const [own = '', deleted = ''] = ids;
    await removeConversation(someone, deleted);
    const { group_id, member } = newGroup();
    const { id: foreign } = await create(member, { group_id });
    const bad = [
      { starting_after: deleted },
      { starting_after: foreign },
      { ending_before: 'garbage' },
      { ending_before: `${own}~soon` },
      { ending_before: `${own}~` },
      { starting_after: `garbage~1` },
      { starting_after: `${own}~${'1'.repeat(16)}` },
      { starting_after: own, group_id },
      { starting_after: deleted, group_id },
      { starting_after: 'garbage', muted: 'true' },
      { starting_after: `${own}0`, pinned: 'true' },
    ];
    for (const query of bad) {
      const [parameter] = Object.keys(query);
      expect(await refused(listConversations, { as: someone, query })).toEqual({
        status: 400,
        type: 'invalid_request',
        code: 'parameter_invalid',
        param: parameter,
        message: `'${parameter}' must be the id of a conversation in this list.`,
      });
    }
  });
});

describe('Listing conversations with', () => {
  const groupRule = 'must be 1 to 128 characters of A-Z a-z 0-9 _ . : @ | + = , -';
  test.each([
    ['a filter that is not a boolean', { muted: 'maybe' }, 'muted', 'must be true or false'],
    ['an empty filter', { archived: '' }, 'archived', 'must be true or false'],
    ['a repeated filter', { pinned: ['true', 'true'] }, 'pinned', 'must be true or false'],
    ['an invalid group id', { group_id: 'a group' }, 'group_id', groupRule],
    ['an empty group id', { group_id: '' }, 'group_id', groupRule],
  ])('%s is rejected', async (_, query, param, rule) => {
    expect(await refused(listConversations, { as: ann, query })).toEqual(invalidError(param, rule));
  });
});
