import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Budget, budgets } from '../../commands/cost/budgets.ts';
import type { Caller } from '../../shared/caller.ts';
import { clock } from '../../shared/clock.ts';
import { listConversations, retrieveConversation } from '../../shared/contract/operations.ts';
import { measureCost, toMeasuredBudget } from '../commands/cost/measure-budget.ts';
import { create, getConversations, list, send } from '../support/handlers/api-calls.ts';
import { ok } from '../support/handlers/invoke-handler.ts';
import { person } from '../support/people/callers.ts';
import { seedConversations, seedFlags } from '../support/seeds/seed-conversations.ts';
import { seedMessages } from '../support/seeds/seed-messages.ts';
import { selectSize } from '../support/setup/sample-size.ts';
import { interceptCalls } from '../support/table/call-hooks.ts';
import '../support/setup/use-table.ts';

const lists = budgets['conversations/list'];

/** Creates a contact with muted conversations. Half of them are archived, and half are pinned. */
async function createContactWith(conversations: number, groupCount: number): Promise<Caller> {
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
  const created_at = clock.now() - 1_000_000;
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
  [10, 5],
  ...selectSize<[number, number][]>(
    [],
    [
      [1000, 1],
      [1000, 5],
    ],
  ),
])('For a contact with %i conversations (%i groups),', (conversations, groups) => {
  let contact: Caller;
  beforeAll(async () => {
    contact = await createContactWith(conversations, groups);
  });
  const all = toMeasuredBudget(lists.all, groups);

  test('listing ten conversations costs a query for the memberships, a query for each inbox and a call for the flags', async () => {
    expect(await measureCost(getConversations(contact))).toEqual(all);
  });

  test('the next page costs as much as the first if requested by its link, and one more call if requested by an id', async () => {
    const { data } = await getConversations(contact, { limit: '1' });
    const { id = '', created_at = 0 } = data[0] ?? {};
    // A page of five reads the flags of five conversations; `all` reads the flags of ten.
    const five = { ...all, reads: all.reads - 2.5 };
    const byLink = { limit: '5', starting_after: `${id}~${created_at * 1000 + 999}` };
    expect(await measureCost(getConversations(contact, byLink))).toEqual(five);
    const byId = await measureCost(getConversations(contact, { limit: '5', starting_after: id }));
    expect(byId).toEqual({ ...five, calls: five.calls + 1, reads: expect.any(Number) });
    expect(byId.reads).toBeLessThanOrEqual(five.reads + 1);
  });

  test.each<[string, Record<string, string>, Budget]>([
    ['one flag', { muted: 'true' }, lists.oneFlag],
    ['two flags', { muted: 'true', archived: 'true' }, lists.twoFlags],
    ['three flags', { muted: 'true', archived: 'true', pinned: 'true' }, lists.threeFlags],
  ])(
    'listing ten conversations with %s costs a query for the memberships, a query for each set of flags and a call for the conversations',
    async (_, query, budget) => {
      const cost = await measureCost(getConversations(contact, query));
      // An unused set of flags is free in DynamoDB Local, but costs half a read unit on AWS.
      expect(cost).toEqual({ ...toMeasuredBudget(budget), reads: expect.any(Number) });
      expect(cost.reads).toBeLessThanOrEqual(budget.reads);
    },
  );
});

describe.each([10, 100])(
  'With %i messages per conversation, each request has the budgeted cost:',
  (messages) => {
    const contact = person(`inbox-${messages}`, { groups: ['a-group'] });
    let first: string;
    const contacts = Array.from({ length: 12 }, (_, n) => person(`contact-${messages}-${n}`));
    const ids: string[] = [];
    beforeAll(async () => {
      for (const [n, other] of contacts.entries()) {
        const begin = [
          () => create(contact, { contact_id: other.id }),
          () => create(other, { contact_id: contact.id }),
          () => create(contact, { group_id: 'a-group', contact_id: other.id }),
        ][n % 3];
        first = (await begin?.())?.id ?? '';
        ids.push(first);
        await seedMessages(first, other.id, messages);
        await send(other, first, 'Hello');
        await list(contact, first);
      }
    });

    test.each([
      ['contacts and last messages', ['contact', 'last_message']],
      ['all fields but no unread messages', ['contact', 'last_message', 'unread_count']],
    ])('list ten conversations with %s in two rounds of calls', async (_, words) => {
      await expireCachedContacts();
      const query = { 'expand[]': words };
      const rounds = countRounds();
      expect(await measureCost(ok(listConversations, { as: contact, query }))).toEqual(
        toMeasuredBudget(lists.expanded, 1),
      );
      expect(rounds.counted()).toBe(listRound + 1);
    });

    test('list ten conversations with exclude[]=archived if none is archived', async () => {
      const query = { 'exclude[]': 'archived' };
      expect(await measureCost(getConversations(contact, query))).toEqual(
        toMeasuredBudget(lists.excluding, 1),
      );
    });

    test('list the conversations with a contact', async () => {
      const query = { contact_id: `contact-${messages}-0` };
      expect(await measureCost(getConversations(contact, query))).toEqual(
        toMeasuredBudget(lists.withContact),
      );
    });

    test('retrieve a conversation with contact and last message', async () => {
      await expireCachedContacts();
      const query = { 'expand[]': ['contact', 'last_message'] };
      const call = { as: contact, path: { conversation_id: first }, query };
      expect(await measureCost(ok(retrieveConversation, call))).toEqual(
        toMeasuredBudget(budgets['conversations/retrieve'].expanded),
      );
    });

    test('list ten conversations, including three with unread messages, and their expanded fields in three rounds', async () => {
      for (const n of [1, 5, 8]) await send(contacts[n] ?? contact, ids[n] ?? '', 'unread');
      await expireCachedContacts();
      const query = { 'expand[]': ['contact', 'last_message', 'unread_count'] };
      const rounds = countRounds();
      const cost = await measureCost(ok(listConversations, { as: contact, query }));
      expect(cost).toEqual(toMeasuredBudget(lists.threeUnread, 1));
      expect(rounds.counted()).toBe(listRound + 2);
      for (const n of [1, 5, 8]) await list(contact, ids[n] ?? '');
    });
  },
);

/** Number of rounds that query the inboxes: one, because the queries run in parallel. */
const listRound = 1;

/** Maximum time in milliseconds between a round's replies and the next round's calls. */
const pause = 50;

/**
 * Counts rounds of concurrent calls. The hook delays all replies of a round until the last reply
 * has arrived.
 */
function countRounds() {
  let [rounds, underWay] = [0, 0];
  let heldReplies: (() => void)[] = [];
  const endRound = () => {
    if (underWay > 0 || heldReplies.length === 0) return;
    rounds += 1;
    for (const release of heldReplies) release();
    heldReplies = [];
  };
  const undo = interceptCalls(async (_, proceed) => {
    underWay += 1;
    await proceed().finally(() => {
      underWay -= 1;
    });
    await new Promise<void>((release) => {
      heldReplies.push(release);
      setTimeout(endRound, pause);
    });
  });
  return {
    counted: () => {
      undo();
      return rounds;
    },
  };
}

let passed = 0;
/** Advances the clock until cached contacts have expired. */
async function expireCachedContacts() {
  passed += 60_000;
  jest.spyOn(clock, 'now').mockReturnValue(clock.now() + passed);
}
