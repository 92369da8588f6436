import { beforeAll, describe, expect, test } from '@jest/globals';
import { clock } from '../../shared/clock.ts';
import { usage } from '../../shared/log/usage.ts';
import { changeConversation, create, getConversations } from '../support/handlers/api-calls.ts';
import { person } from '../support/people/callers.ts';
import { seedConversations, seedManyFlags } from '../support/seeds/seed-conversations.ts';
import { seedNonMemberConversations } from '../support/seeds/seed-non-member-conversations.ts';
import '../support/setup/use-table.ts';
import { selectSize } from '../support/setup/sample-size.ts';
import { interceptHttp } from '../support/table/http-hooks.ts';

const thousands = selectSize(1000, 10_000);
/** Maximum number of table calls: one per hundred entries, plus a list request's other calls. */
const maxCalls = thousands / 100 + 30;

describe('A list of conversations that must skip thousands of index entries', () => {
  const member = person('olga', { groups: ['kept', 'left'] });
  const olga = person('olga', { groups: ['kept'] });
  const ids: string[] = [];

  beforeAll(async () => {
    const oldest = await create(olga, { contact_id: 'paul' });
    await changeConversation(olga, oldest.id, { archived_at: 5 });
    ids.push(oldest.id);
    const seeds = Array.from({ length: thousands }, (_, n) => ({
      created_by: 'paul',
      group_id: 'left',
      created_at: clock.now() + 1000 + n,
    }));
    await seedManyFlags('olga', await seedConversations(seeds), { archived_at: 5 });
  }, 300_000);

  const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

  test('omits the conversations of a group that the caller has left, with one table call per hundred entries', async () => {
    expect(idsOf(await getConversations(olga, { archived: 'true' }))).toEqual(ids);
    expect(usage.table_calls).toBeLessThanOrEqual(maxCalls);
  });

  test('omits the conversations outside the requested group, with one table call per hundred entries', async () => {
    const query = { archived: 'true', group_id: 'kept' };
    expect(idsOf(await getConversations(member, query))).toEqual([]);
    expect(usage.table_calls).toBeLessThanOrEqual(maxCalls);
  });
});

test('A non-member who is the contact of one conversation in a group can list that conversation with at most ten table calls, despite thousands of other conversations', async () => {
  const rita = person('rita');
  const sven = person('sven', { groups: ['other'] });
  const { id } = await create(sven, { group_id: 'other', contact_id: 'rita' });
  await seedNonMemberConversations('rita', selectSize(1000, 5000), (n) => ({
    opened: clock.now() + 1000 + n,
  }));
  let sent = 0;
  const hook = interceptHttp(async (_, proceed) => {
    const reply = await proceed();
    sent += reply.body.length;
    return reply;
  });
  const { data } = await getConversations(rita, { group_id: 'other' });
  await hook.remove();
  expect(data.map((one) => one.id)).toEqual([id]);
  expect(usage.table_calls).toBeLessThanOrEqual(10);
  // DynamoDB filters out the other conversations.
  expect(sent).toBeLessThan(10_000);
});
