import { beforeAll, describe, expect, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { listConversations } from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import {
  changeConversation,
  create,
  getConversations,
  removeConversation,
  send,
} from '../../support/handlers/api-calls.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { person } from '../../support/people/callers.ts';
import { seedConversations } from '../../support/seeds/seed-conversations.ts';
import { seedNonMemberConversations } from '../../support/seeds/seed-non-member-conversations.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import '../../support/setup/use-table.ts';

const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

describe('Listing conversations with a contact', () => {
  const groups = ['team', 'other'];
  const [olga, paul] = [person('olga', { groups }), person('paul')];

  test('returns the direct conversations that either contact created, most recently active first', async () => {
    const [ole, pia, rob] = [person('ole', { groups }), person('pia'), person('rob')];
    const one = await create(ole, { contact_id: pia.id });
    const two = await create(pia, { contact_id: ole.id });
    await create(ole, { contact_id: rob.id });
    await create(ole, { contact_id: pia.id, group_id: 'team' });
    await create(pia, { contact_id: rob.id });
    await create(ole, { contact_id: ole.id });
    const withPia = async () => idsOf(await getConversations(ole, { contact_id: pia.id }));
    expect(await withPia()).toEqual([two.id, one.id]);
    await send(pia, one.id, 'Hello');
    expect(await withPia()).toEqual([one.id, two.id]);
    expect(idsOf(await getConversations(pia, { contact_id: ole.id }))).toEqual([one.id, two.id]);
    expect(idsOf(await getConversations(rob, { contact_id: ole.id }))).toHaveLength(1);

    await removeConversation(pia, two.id);
    expect(await withPia()).toEqual([one.id]);
    expect(idsOf(await getConversations(ole, { contact_id: pia.id, muted: 'true' }))).toEqual([]);
    await changeConversation(ole, one.id, { is_muted: true });
    expect(idsOf(await getConversations(ole, { contact_id: pia.id, muted: 'true' }))).toEqual([
      one.id,
    ]);
    expect(
      idsOf(await getConversations(ole, { contact_id: pia.id, 'exclude[]': 'muted' })),
    ).toEqual([]);
  });

  test('if the contact is the caller, returns only conversations that the caller created with their own contact id', async () => {
    const vera = person('vera');
    const { id } = await create(vera, { contact_id: 'vera' });
    await create(vera, { contact_id: 'paul' });
    await create(paul, { contact_id: 'vera' });
    expect(idsOf(await getConversations(vera, { contact_id: 'vera' }))).toEqual([id]);
  });

  test.each<[string, { contact_id?: string; group_id?: string }]>([
    ['another contact', { contact_id: 'rita' }],
    ['the contact in a group', { group_id: 'team', contact_id: 'tom' }],
  ])(
    'accepts a listed conversation as a cursor, and rejects a conversation with %s',
    async (_, others) => {
      const own = await create(olga, { contact_id: 'tom' });
      const other = await create(olga, others);
      const list = (id: string) => ({
        as: olga,
        query: { contact_id: 'tom', starting_after: id },
      });
      expect((await request(listConversations, list(own.id))).status).toBe(200);
      expect(await refused(listConversations, list(other.id))).toMatchObject({
        status: 400,
        code: 'parameter_invalid',
        param: 'starting_after',
      });
    },
  );

  test('returns an empty list if the contact is unknown', async () => {
    expect(await getConversations(olga, { contact_id: 'unknown' })).toEqual({
      has_more: false,
      data: [],
    });
  });

  test('in a group returns to members the conversations that name the contact, and to other callers the conversations in which the contact named the caller', async () => {
    const group = 'chess';
    const [ann, ben] = ['ann', 'ben'].map((id) => person(id, { groups: [group] }));
    const [eve, cleo] = [person('eve'), person('cleo')];
    if (!ann || !ben) throw new Error('A member is missing.');
    const byAnn = await create(ann, { group_id: group, contact_id: 'cleo' });
    const byBen = await create(ben, { group_id: group, contact_id: 'cleo' });
    await create(ann, { group_id: group });
    const own = await create(ann, { group_id: group, contact_id: 'ann' });
    await create(ann, { contact_id: 'cleo' });
    const seen = async (as: typeof ann, contact_id: string) =>
      idsOf(await getConversations(as, { group_id: group, contact_id }));
    expect(await seen(ann, 'cleo')).toEqual([byBen.id, byAnn.id]);
    expect(await seen(cleo, 'ann')).toEqual([byAnn.id]);
    expect(await seen(cleo, 'cleo')).toEqual([]);
    expect(await seen(ann, 'ann')).toEqual([own.id]);
    expect(await seen(ben, 'ann')).toEqual([own.id]);
    for (const contact of ['cleo', 'ann', 'ben']) expect(await seen(eve, contact)).toEqual([]);
  });
});

test.each(selectSize([300], [300, 1100]))(
  'In a group with %i conversations that name the caller, a filter by contact costs at most three times as much as in a group with one conversation, plus one read unit per twelve conversations',
  async (count) => {
    const group_id = `crowd-${count}`;
    const [ann, ben] = ['ann', 'ben'].map((id) => person(id, { groups: [group_id] }));
    if (!ann || !ben) throw new Error('A member is missing.');
    const start = clock.now() - 5_000_000;
    const opened = Array.from({ length: count }, (_, n) => start + n);
    const [first = ''] = await seedConversations([
      { created_by: 'ann', contact_id: 'ben', group_id, created_at: start },
    ]);
    await getConversations(ben, { group_id, contact_id: 'ann' });
    const quiet = { calls: usage.table_calls, reads: usage.read_units };
    await seedConversations(
      opened.map((created_at) => ({ created_by: 'hal', contact_id: 'ben', group_id, created_at })),
    );

    for (const [contact_id, ids] of [
      ['ann', [first]],
      ['ben', []],
    ] as const) {
      expect(idsOf(await getConversations(ben, { group_id, contact_id }))).toEqual(ids);
      expect(usage.table_calls).toBeLessThanOrEqual(3 * quiet.calls);
      expect(usage.read_units).toBeLessThanOrEqual(3 * quiet.reads + count / 12);
    }
    const page = await getConversations(ben, { group_id, contact_id: 'hal', limit: '1' });
    expect(page.has_more).toBe(true);
  },
);

describe.each(selectSize([1100], [40, 1100, 10_000]))(
  'With %i conversations between two contacts, and many with others,',
  (count) => {
    const me = person(`me-${count}`);
    let ids: string[];
    const query = { contact_id: `you-${count}` };

    beforeAll(async () => {
      const start = clock.now() - 5_000_000;
      ids = await seedConversations(
        Array.from({ length: count }, (_, n) => ({
          created_by: n % 2 ? me.id : query.contact_id,
          contact_id: n % 2 ? query.contact_id : me.id,
          created_at: start + n,
          // Conversations created earlier have later activity.
          last_message_at: start + 1_000_000 - n,
        })),
      );
      await seedNonMemberConversations(me.id, selectSize(500, 3000), (n) => ({
        opened: clock.now() + n,
      }));
    }, 300_000);

    test('a page filtered by contact contains the most recently active conversations and costs at most 14 table calls', async () => {
      const page = await getConversations(me, query);
      expect(usage.table_calls).toBeLessThanOrEqual(14);
      expect(usage.read_units).toBeLessThanOrEqual(1100);
      expect(idsOf(page)).toEqual(ids.slice(0, 10));
      expect(page.has_more).toBe(true);
    });
  },
);
