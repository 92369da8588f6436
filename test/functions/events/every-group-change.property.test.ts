import { expect, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import {
  createGroup,
  deleteGroup,
  putGroupMember,
  removeGroupMember,
  updateGroup,
} from '../../../shared/contract/operations.ts';
import { toDeletedReply } from '../../../shared/contract/resources/deleted.ts';
import { toMembershipId, toRemovedMember } from '../../../shared/contract/resources/event.ts';
import type { Group, GroupMember } from '../../../shared/contract/resources/group.ts';
import { getGroups, getMembers } from '../../support/handlers/group-calls.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { getLiveCursor, listEventsAfter } from '../../support/handlers/list-events.ts';
import { newPeople } from '../../support/people/group-people.ts';
import fc from '../../support/setup/fast-check.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import '../../support/setup/use-table.ts';

type Cast = Pick<ReturnType<typeof newPeople>, 'ann' | 'bob' | 'carol'>;
type Name = keyof Cast;
const names = ['ann', 'bob', 'carol'] as const satisfies Name[];

interface Step {
  caller: Name;
  action: keyof typeof acts;
  target: Name;
}

let titles = 0;
const newTitle = () => {
  titles += 1;
  return `Group ${titles}`;
};

/** The request of each step, by step name. Without permission, a request changes nothing. */
const acts = {
  create: (as: Caller) => request(createGroup, { as, body: { title: newTitle() } }),
  rename: (as: Caller, group_id: string) =>
    request(updateGroup, { as, path: { group_id }, body: { title: newTitle() } }),
  delete: (as: Caller, group_id: string) => request(deleteGroup, { as, path: { group_id } }),
  add: (as: Caller, group_id: string, contact_id: string) =>
    request(putGroupMember, { as, path: { group_id, contact_id }, body: {} }),
  appoint: (as: Caller, group_id: string, contact_id: string) =>
    request(putGroupMember, { as, path: { group_id, contact_id }, body: { role: 'owner' } }),
  remove: (as: Caller, group_id: string, contact_id: string) =>
    request(removeGroupMember, { as, path: { group_id, contact_id } }),
};

type View = ReadonlyMap<string, { group: Group; members: Map<string, GroupMember> }>;

async function getView(as: Caller): Promise<View> {
  const { data } = await getGroups(as, { limit: '100' });
  return new Map(
    await Promise.all(
      data.map(async (group) => {
        const members = (await getMembers(as, group.id)).data;
        const byId = new Map(members.map((member) => [member.contact_id, member]));
        return [group.id, { group, members: byId }] as const;
      }),
    ),
  );
}

/** Returns the expected events for a contact whose view changes from `before` to `after`. */
function toExpectedEvents(me: string, before: View, after: View, isDeletion: boolean): unknown[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id): unknown[] => {
    const [was, is] = [before.get(id), after.get(id)];
    const added = (member: GroupMember) => ({
      type: 'group.member_added',
      payload: { id: toMembershipId(id, member.contact_id), group_id: id, ...member },
    });
    const removed = (contactId: string) => ({
      type: 'group.member_removed',
      payload: toRemovedMember(id, contactId),
    });
    const own = is?.members.get(me);
    if (!was) return own ? [added(own)] : [];
    if (!is && isDeletion) return [{ type: 'group.deleted', payload: toDeletedReply(id) }];
    if (!is) return [removed(me)];
    const present = [...is.members.values()];
    const isUpdated =
      was.group.title !== is.group.title ||
      present.some(({ contact_id, role }) => (was.members.get(contact_id)?.role ?? role) !== role);
    return [
      ...present.filter(({ contact_id }) => !was.members.has(contact_id)).map(added),
      ...[...was.members.keys()].filter((one) => !is.members.has(one)).map(removed),
      ...(isUpdated ? [{ type: 'group.updated', payload: is.group }] : []),
    ];
  });
}

const seenTypes = new Set<string>();

async function runSteps(steps: readonly Step[]): Promise<void> {
  const cast: Cast = newPeople();
  const readers = await Promise.all(
    names.map(async (name) => ({
      as: cast[name],
      cursor: await getLiveCursor(cast[name]),
      view: await getView(cast[name]),
    })),
  );
  for (const { caller, action, target } of steps) {
    const as = cast[caller];
    const newest = [...(await getView(as)).keys()].sort().at(-1);
    if (action !== 'create' && newest === undefined) continue;
    await acts[action](as, newest ?? '', cast[target].id);
    await publishAll();
    for (const reader of readers) {
      const after = await getView(reader.as);
      const { events, cursor } = await listEventsAfter(reader.as, reader.cursor, 5);
      for (const { type } of events) seenTypes.add(type);
      const expected = toExpectedEvents(reader.as.id, reader.view, after, action === 'delete');
      expect(events.map(({ type, payload }) => ({ type, payload }))).toEqual(expected);
      Object.assign(reader, { cursor, view: after });
    }
  }
}

const name = fc.constantFrom(...names);
const rareAction = fc.constantFrom<Step['action']>('create', 'rename', 'delete', 'appoint');
const frequentAction = fc.constantFrom<Step['action']>('add', 'remove');
const steps = fc.array(
  fc.record({ caller: name, action: fc.oneof(rareAction, frequentAction), target: name }),
  {
    minLength: 1,
    maxLength: 12,
  },
);

const script = (...entries: [Name, Step['action'], Name?][]): Step[] =>
  entries.map(([caller, act, target = caller]) => ({ caller, action: act, target }));

test('A contact receives one event for each visible change in the lists of groups and members, and no other event', async () => {
  const everyType = script(
    ['ann', 'create'],
    ['ann', 'add', 'bob'],
    ['ann', 'add', 'carol'],
    ['ann', 'appoint', 'bob'],
    ['ann', 'rename'],
    ['carol', 'remove'],
    ['bob', 'remove', 'ann'],
    ['bob', 'add', 'ann'],
    ['bob', 'delete'],
  );
  await fc.assert(fc.asyncProperty(steps, runSteps), {
    numRuns: selectSize(6, 60),
    endOnFailure: true,
    examples: [[everyType]],
  });
  expect([...seenTypes].sort()).toEqual([
    'group.deleted',
    'group.member_added',
    'group.member_removed',
    'group.updated',
  ]);
}, 600_000);
