import { expect, test } from '@jest/globals';
import { listConversations } from '../../../shared/contract/operations.ts';
import { changeConversation, removeConversation } from '../../support/handlers/api-calls.ts';
import { person } from '../../support/handlers/callers.ts';
import fc from '../../support/setup/fast-check.ts';
import { seedConversations } from '../../support/table/seed-conversations.ts';
import '../../support/setup/use-table.ts';
import { type ListedPage, walkPages } from '../../support/handlers/walk-pages.ts';
import { sized } from '../../support/setup/sample-size.ts';

const flagNames = ['muted', 'archived', 'pinned'] as const;
const flags = fc.record({ muted: fc.boolean(), archived: fc.boolean(), pinned: fc.boolean() });
/** The query of a list: each flag requested, excluded or neither. */
const list = fc.record({
  flags: fc.record({ muted: fc.nat(2), archived: fc.nat(2), pinned: fc.nat(2) }),
  group: fc.constantFrom(undefined, 'kept', 'left', 'foreign'),
  contact: fc.constantFrom(undefined, undefined, 'me', 'you', 'unknown'),
});
type List = typeof list extends fc.Arbitrary<infer Value> ? Value : never;
const wantedIn = ({ flags }: List) => flagNames.filter((name) => flags[name] === 1);
const excludedIn = ({ flags }: List) => flagNames.filter((name) => flags[name] === 2);

/**
 * The reader is in the group `kept`, was in `left`, and never was in `foreign`. Times are
 * milliseconds after a start.
 */
const conversation = fc
  .record({
    creator: fc.constantFrom('me', 'you'),
    contact: fc.constantFrom(undefined, 'me', 'you'),
    group: fc.constantFrom(undefined, 'kept', 'left', 'foreign'),
    created: fc.nat(9),
    active: fc.option(fc.integer({ min: 10, max: 19 }), { nil: undefined }),
    flags,
    deleted: fc.integer({ max: 5, min: 0 }).map((n) => n === 0),
  })
  .filter(({ contact, group }) => contact !== undefined || group !== undefined);
type Conversation = typeof conversation extends fc.Arbitrary<infer Value> ? Value : never;

const hadPart = ({ creator, contact, group }: Conversation) =>
  contact === 'me' || (group === undefined ? creator === 'me' : group !== 'foreign');
const havePart = (one: Conversation) =>
  hadPart(one) && (one.group !== 'left' || one.contact === 'me');

let worlds = 0;

/** Creates the conversations, with new contacts and groups each time. */
async function worldOf(conversations: Conversation[]) {
  worlds += 1;
  const named = (name: string) => `${name}-${worlds}`;
  const maybe = (name: string | undefined) => (name === undefined ? undefined : named(name));
  const start = 1_700_000_000_000;
  const ids = await seedConversations(
    conversations.map(({ creator, contact, group, created, active }) => ({
      created_by: named(creator),
      contact_id: maybe(contact),
      group_id: maybe(group),
      created_at: start + created,
      last_message_at: active === undefined ? undefined : start + active,
    })),
  );
  const all = ['kept', 'left', 'foreign'].map(named);
  const formerMe = person(named('me'), { groups: all });
  for (const [n, one] of conversations.entries()) {
    const { muted, archived, pinned } = one.flags;
    const body = { is_muted: muted, archived_at: archived ? 5 : null, is_pinned: pinned };
    if (hadPart(one)) await changeConversation(formerMe, ids[n] ?? '', body);
    const creator = person(named(one.creator), { groups: all });
    if (one.deleted) await removeConversation(creator, ids[n] ?? '');
  }
  const listed = conversations.map((one, n) => ({ ...one, id: ids[n] ?? '' }));
  return { me: person(named('me'), { groups: [named('kept')] }), named, listed };
}

type Listed = Awaited<ReturnType<typeof worldOf>>['listed'];

/** The ids in the reader's list, in its order. */
function modelOf(listed: Listed, list: List) {
  const { group, contact } = list;
  const wanted = wantedIn(list);
  const other = (one: Conversation) => (one.contact === 'me' ? one.creator : one.contact);
  const activity = ({ active, created }: Conversation) => active ?? created;
  return listed
    .filter((one) => havePart(one) && !one.deleted)
    .filter((one) => group === undefined || one.group === group)
    .filter((one) => contact === undefined || (one.group === group && other(one) === contact))
    .filter(({ flags }) => wanted.every((name) => flags[name]))
    .filter(({ flags }) => !excludedIn(list).some((name) => flags[name]))
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .sort((a, b) => (wanted.length > 0 ? 0 : activity(b) - activity(a)))
    .map(({ id }) => id);
}

const inPages = (ids: string[], limit: number) =>
  Array.from({ length: Math.max(1, Math.ceil(ids.length / limit)) }, (_, n) => ({
    data: ids.slice(n * limit, (n + 1) * limit),
    has_more: (n + 1) * limit < ids.length,
  }));

const idsOf = ({ data, has_more }: ListedPage) => ({ data: data.map(({ id }) => id), has_more });

test('every list, page by page and in both directions, matches a simple model', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(conversation, { minLength: 5, maxLength: 18 }),
      fc.integer({ min: 1, max: 6 }),
      fc.array(list, { minLength: 30, maxLength: 40 }),
      async (conversations, limit, lists) => {
        const { me, named, listed } = await worldOf(conversations);
        for (const one of lists) {
          const { group, contact } = one;
          const expected = modelOf(listed, one);
          const query = {
            limit: String(limit),
            ...Object.fromEntries(wantedIn(one).map((name) => [name, 'true'])),
            'exclude[]': excludedIn(one),
            ...(group && { group_id: named(group) }),
            ...(contact && { contact_id: named(contact) }),
          };
          const forwards = await walkPages(listConversations, me, 'next', query);
          expect(forwards.map(idsOf)).toEqual(inPages(expected, limit));

          const last = expected.at(-1);
          if (last === undefined) continue;
          const start = { ...query, ending_before: last };
          const backwards = await walkPages(listConversations, me, 'prev', start);
          const upwards = inPages(expected.slice(0, -1).reverse(), limit);
          expect(backwards.map(idsOf)).toEqual(
            upwards.map(({ data, has_more }) => ({ data: data.reverse(), has_more })),
          );
        }
      },
    ),
    { numRuns: sized(2, 6) },
  );
});
