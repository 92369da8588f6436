import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { listGroupMembers } from '../../../shared/contract/operations.ts';
import { toFeedName } from '../../../shared/inbox.ts';
import { create, send } from '../../support/handlers/api-calls.ts';
import { createTrio } from '../../support/handlers/callers.ts';
import {
  addMember,
  changeGroup,
  getGroup,
  makeGroup,
  removeMember,
} from '../../support/handlers/group-calls.ts';
import { ok } from '../../support/handlers/invoke-handler.ts';
import { getLiveCursor, listEventsAfter } from '../../support/handlers/list-events.ts';
import { publishAll } from '../../support/handlers/live-worker.ts';
import '../../support/setup/use-table.ts';

/** The events after a cursor: types and payloads, with `own` for the reader's own feed. */
async function eventsOf(as: Caller, cursor?: string) {
  await publishAll();
  const { events } = await listEventsAfter(as, cursor);
  const ownFeed = toFeedName({ kind: 'contact', id: as.id });
  return events.map(({ type, payload, feed }) => ({ type, payload, own: feed === ownFeed }));
}

const removed = (group_id: string, contact_id: string) => ({
  ...{ id: `${group_id}-${contact_id}`, group_id, contact_id },
  deleted: true,
});

/** The member as events show them. */
async function memberOf(as: Caller, group_id: string, contactId: string) {
  const { data } = await ok(listGroupMembers, { as, path: { group_id } });
  const member = data.find(({ contact_id }) => contact_id === contactId);
  return { id: `${group_id}-${contactId}`, group_id, ...member };
}

describe('An event of a group', () => {
  test('is group.updated for all members if the title, the avatar or a role changes, and shows the group as it is', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await makeGroup(cleo, [xavier]);
    await publishAll();
    const start = await getLiveCursor(xavier);
    await changeGroup(cleo, id, { title: 'Climbing' });
    await changeGroup(cleo, id, { avatar_url: 'https://example.com/rock.png' });
    await addMember(cleo, id, xavier, 'admin');
    const group = await getGroup(cleo, id);
    const again = { type: 'group.updated', payload: null, own: false };
    expect(await eventsOf(xavier, start)).toEqual([
      { type: 'group.updated', payload: group, own: false },
      again,
      again,
    ]);
  });

  test('is none if nothing changes', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await makeGroup(cleo, [xavier]);
    await publishAll();
    const start = await getLiveCursor(cleo);
    await changeGroup(cleo, id, { title: 'Lunch club' });
    await addMember(cleo, id, xavier, 'member');
    expect(await eventsOf(cleo, start)).toEqual([]);
  });

  test('is group.member_added once for the members, and once for the contact', async () => {
    const { cleo, xavier, tina } = createTrio();
    const { id } = await makeGroup(cleo, [tina]);
    await publishAll();
    const [ofTina, ofXavier] = [await getLiveCursor(tina), await getLiveCursor(xavier)];
    await addMember(cleo, id, xavier);
    const payload = await memberOf(cleo, id, xavier.id);
    const added = { type: 'group.member_added', payload };
    expect(await eventsOf(tina, ofTina)).toEqual([{ ...added, own: false }]);
    // The group's feed begins for the contact at its present end.
    expect(await eventsOf(xavier, ofXavier)).toEqual([{ ...added, own: true }]);
  });

  test('is one per added member, not one per change of the number of members', async () => {
    const { cleo, xavier, tina } = createTrio();
    const { id } = await makeGroup(cleo);
    await publishAll();
    const start = await getLiveCursor(cleo);
    await addMember(cleo, id, xavier);
    await addMember(cleo, id, tina);
    const types = (await eventsOf(cleo, start)).map(({ type }) => type);
    expect(types).toEqual(['group.member_added', 'group.member_added']);
  });

  test('is group.member_removed, and shows a removed contact nothing else of the group', async () => {
    const { cleo, xavier, tina } = createTrio();
    const { id } = await makeGroup(cleo, [tina]);
    const start = await getLiveCursor(xavier);
    const ofTina = await getLiveCursor(tina);
    await addMember(cleo, id, xavier);
    const { id: conversation } = await create(cleo, { group_id: id });
    await send(cleo, conversation, 'Hello');
    await changeGroup(cleo, id, { title: 'Climbing' });
    await publishAll();
    await removeMember(cleo, id, xavier);
    const payload = removed(id, xavier.id);
    expect(await eventsOf(xavier, start)).toEqual([
      { type: 'group.member_added', payload, own: true },
      { type: 'group.member_removed', payload, own: true },
    ]);
    const last = (await eventsOf(tina, ofTina)).at(-1);
    expect(last).toEqual({ type: 'group.member_removed', payload, own: false });
  });

  test('has a higher version each time that a contact joins or leaves, and omits a removal before the present membership', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await makeGroup(cleo);
    await publishAll();
    const start = await getLiveCursor(xavier);
    const versions: number[] = [];
    for (const step of [addMember, removeMember, addMember, removeMember, addMember]) {
      await step(cleo, id, xavier);
      await publishAll();
      const { events } = await listEventsAfter(xavier, start);
      const own = events.filter(
        ({ feed }) => feed === toFeedName({ kind: 'contact', id: xavier.id }),
      );
      versions.push(own.at(-1)?.version ?? 0);
      const isMember = step === addMember;
      expect(own.every(({ payload }) => (payload && 'joined_at' in payload) === isMember)).toBe(
        true,
      );
    }
    expect(versions).toEqual([...new Set(versions)].sort((one, other) => one - other));
  });
});
