import { describe, expect, test } from '@jest/globals';
import { maxGroups } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { retrieveContact } from '../../../shared/contract/operations.ts';
import { newConversationId } from '../../../shared/ids.ts';
import { usage } from '../../../shared/log/usage.ts';
import {
  newConversation,
  toStoredConversation,
} from '../../../shared/table/conversations/items/conversation-item.ts';
import { create, getContact } from '../../support/handlers/api-calls.ts';
import { notFoundError } from '../../support/handlers/expected-errors.ts';
import { refused } from '../../support/handlers/invoke-handler.ts';
import { createTrio } from '../../support/people/callers.ts';
import { putAll } from '../../support/seeds/seed-conversations.ts';
import '../../support/setup/use-table.ts';

type Parties = { contact_id?: string; group_id?: string };

/** Stores conversations that are deleted in the table but still present in its indexes. */
const storeDeleted = (count: number, by: string, parties: Parties) =>
  putAll(
    Array.from({ length: count }, (_, n) => ({
      ...toStoredConversation(newConversation(newConversationId(clock.now() + n), by, parties)),
      ...{ deleted_at: clock.now(), deletion: 'a deletion' },
    })),
  );

describe('A recently deleted conversation that is still in an index grants no access to a contact:', () => {
  type Trio = ReturnType<typeof createTrio>;

  test.each<[string, (trio: Trio) => [by: string, parties: Parties]]>([
    ['a direct conversation', ({ cleo, xavier }) => [xavier.id, { contact_id: cleo.id }]],
    [
      'a group conversation that names the contact',
      ({ tina, xavier, team }) => [tina.id, { contact_id: xavier.id, group_id: team }],
    ],
    [
      'a group conversation that names the caller',
      ({ tina, cleo, team }) => [tina.id, { contact_id: cleo.id, group_id: `${team}-2` }],
    ],
    ['a group conversation', ({ tina, team }) => [tina.id, { group_id: team }]],
  ])('%s', async (_, getParties) => {
    const trio = createTrio();
    const { xavier, tina, team } = trio;
    const groups = [team, `${team}-2`];
    const caller = { ...trio.cleo, groups: [team] };
    await create({ ...xavier, groups }, { contact_id: xavier.id });
    const [by, parties] = getParties(trio);
    await storeDeleted(3, by, parties);
    const call = { as: caller, path: { contact_id: xavier.id } };
    expect(await refused(retrieveContact, call)).toEqual(notFoundError('contact_id'));
    expect(usage.table_calls).toBeLessThanOrEqual(4 + 2 + 2);

    const creator = [xavier, tina].find(({ id }) => id === by) ?? tina;
    await create({ ...creator, groups }, parties);
    await storeDeleted(3, by, parties);
    expect(await getContact(caller, xavier.id)).toMatchObject({ id: xavier.id });
  });
});

test('If 100 groups contain recently deleted conversations, retrieving a contact costs one query per group and 12 other calls', async () => {
  const { cleo, xavier, tina } = createTrio();
  const groups = Array.from({ length: maxGroups }, (_, n) => `${cleo.id}-${n}`);
  await create({ ...xavier, groups }, { contact_id: xavier.id });
  for (const group_id of groups) await storeDeleted(2, tina.id, { group_id });
  const call = { as: { ...cleo, groups }, path: { contact_id: xavier.id } };
  expect(await refused(retrieveContact, call)).toEqual(notFoundError('contact_id'));
  // Three rounds query 5, 20 and 75 groups. Each round checks its first conversation in one call,
  // and the others in a second call.
  expect(usage.table_calls).toBe(4 + 2 + maxGroups + 3 * 2);
  // One read unit per conversation, half a unit per group query, and at most two units for other
  // reads.
  expect(usage.read_units).toBeLessThanOrEqual(2 * maxGroups + maxGroups / 2 + 2);
});
