import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { toFeedName } from '../../../shared/inbox.ts';
import { create, send } from '../../support/handlers/api-calls.ts';
import {
  addMember,
  changeGroup,
  getGroup,
  makeGroup,
  removeMember,
} from '../../support/handlers/group-calls.ts';
import { getLiveCursor, listEventsAfter } from '../../support/handlers/list-events.ts';
import { createTrio } from '../../support/people/callers.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import '../../support/setup/use-table.ts';

/** Publishes all changes, then lists the events after the cursor. */
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

describe('Group events', () => {
  test('of type group.updated report a changed title, avatar or role to members and contain the current group only once per page', async () => {
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

  test('report a removal to members and to the removed contact, who then sees only the events of their own membership', async () => {
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

  test('have a higher version each time a contact joins or leaves, and omit removals from before the current membership', async () => {
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
