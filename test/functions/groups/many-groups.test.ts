import { beforeAll, describe, expect, test } from '@jest/globals';
import { maxGroups } from '../../../shared/caller.ts';
import {
  listEvents,
  retrieveContact,
  retrieveLive,
  sendMessage,
} from '../../../shared/contract/operations.ts';
import { maxGroupsOfPerson } from '../../../shared/contract/resources/group.ts';
import { usage } from '../../../shared/log/usage.ts';
import { measureCost } from '../../commands/cost/measure-budget.ts';
import {
  changeConversation,
  create,
  getConversation,
  getConversations,
  getMessage,
  removeConversation,
  send,
} from '../../support/handlers/api-calls.ts';
import { ok, refused, request } from '../../support/handlers/invoke-handler.ts';
import { listAcross } from '../../support/handlers/list-across.ts';
import { getLiveCursor } from '../../support/handlers/list-events.ts';
import { person } from '../../support/people/callers.ts';
import { addMember, seedUserGroup } from '../../support/seeds/memberships.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import '../../support/setup/use-table.ts';

describe('A person in the maximum number of token groups and user groups', () => {
  const tokenGroups = Array.from({ length: maxGroups }, (_, n) => `token-group-${n}`);
  const member = person('mira', { groups: tokenGroups });
  const owner = person('otto', { groups: tokenGroups });
  const userGroups: string[] = [];
  const usedGroups = () => [userGroups[0] ?? '', userGroups.at(-1) ?? '', tokenGroups[99] ?? ''];
  let firstList: Awaited<ReturnType<typeof measureCost>>;

  beforeAll(async () => {
    for (let n = 0; n < maxGroupsOfPerson; n++) {
      const group = await seedUserGroup({ [owner.id]: 'owner' });
      await addMember(group, member.id);
      userGroups.push(group);
    }
    await publishAll();
    // Creates the missing group heads, so that the measured list does not create them.
    await getConversations(member);
    await ok(retrieveLive, { as: member });
    const others = [userGroups[1] ?? '', userGroups[150] ?? '', tokenGroups[98] ?? ''];
    for (const group_id of others) await create(owner, { group_id });
    firstList = await measureCost(getConversations(member));
  });

  test('can create, use and delete conversations in both kinds of groups', async () => {
    const starting_after = await getLiveCursor(member);
    for (const group_id of usedGroups()) {
      const { id } = await create(member, { group_id });
      const sent = await send(member, id, 'Hello');
      expect(await getMessage(member, sent.id)).toMatchObject({ message: 'Hello' });
      await changeConversation(member, id, { is_muted: true });
      await publishAll();
      const shown = await getConversation(member, id);
      expect((await getConversations(member, { limit: '1' })).data).toEqual([shown]);
      expect((await getConversations(member, { group_id })).data).toEqual([shown]);
      expect((await getConversations(member, { muted: 'true' })).data).toEqual([shown]);
      expect((await listAcross(member)).data[0]).toMatchObject({ id: sent.id });
      const query = { starting_after, limit: '100' };
      const { data } = await ok(listEvents, { as: member, query });
      expect(JSON.stringify(data)).toContain(sent.id);
      await removeConversation(member, id);
      expect(
        await refused(sendMessage, { as: member, body: { conversation_id: id, message: 'No' } }),
      ).toMatchObject({ status: 404 });
    }
  });

  test('lists conversations with eight table calls plus one per group on the page, and makes at most 30 calls for every other read', async () => {
    // Table calls: memberships, heads of token groups, heads of user groups, the person's two
    // inboxes, the inboxes of three groups, and flags.
    expect(firstList.calls).toBe(1 + 1 + 3 + 2 + 3 + 1);
    // Each head costs half a read unit, the memberships cost 15, and inboxes and flags cost 5.
    expect(firstList.reads).toBeLessThanOrEqual((maxGroups + maxGroupsOfPerson) / 2 + 15 + 5);
    for (const act of [
      () => listAcross(member),
      () => ok(listEvents, { as: member, query: { limit: '100' } }),
      () => ok(retrieveLive, { as: member }),
      () => request(retrieveContact, { as: member, path: { contact_id: 'unknown' } }),
    ]) {
      await act();
      expect(usage.table_calls).toBeLessThanOrEqual(30);
      expect(usage.read_units).toBeLessThanOrEqual(700);
    }
  });

  test('has a channel for each group in the token, and a cursor that fits in a URL', async () => {
    const { channels, cursor, is_complete } = await ok(retrieveLive, { as: member });
    const groups = new Set(channels.map(({ group_id }) => group_id));
    expect([groups.size, is_complete]).toEqual([1 + maxGroups, false]);
    expect(tokenGroups.filter((group) => !groups.has(group))).toEqual([]);
    // API Gateway accepts at most 10,240 bytes for the URL and all headers.
    expect(cursor.length).toBeLessThan(6000);
  });

  test('who leaves two token groups has channels for the two most recently active user groups', async () => {
    const groups = tokenGroups.slice(0, 98);
    const active = [userGroups[17] ?? '', userGroups[201] ?? ''];
    for (const group_id of active) await create(owner, { group_id });
    const { channels } = await ok(retrieveLive, { as: { ...member, groups } });
    const shown = new Set(channels.map(({ group_id }) => group_id));
    expect(shown).toEqual(new Set([null, ...groups, ...active]));
  });
});
