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
import { newPeople } from '../../support/handlers/group-people.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { getLiveCursor, listEventsAfter } from '../../support/handlers/list-events.ts';
import { publishAll } from '../../support/handlers/live-worker.ts';
import fc from '../../support/setup/fast-check.ts';
import { sized } from '../../support/setup/sample-size.ts';
import '../../support/setup/use-table.ts';

type Cast = Pick<ReturnType<typeof newPeople>, 'ann' | 'bob' | 'carol'>;
type Who = keyof Cast;
const names = ['ann', 'bob', 'carol'] as const satisfies Who[];

interface Step {
  who: Who;
  does: keyof typeof acts;
  /** The contact whom the step affects. */
  whom: Who;
}

let titles = 0;
const newTitle = () => {
  titles += 1;
  return `Group ${titles}`;
};

/** Requests by step name. Without permission, a request changes nothing. */
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

/** A contact's groups and their members, by group id. */
type Sight = ReadonlyMap<string, { group: Group; members: Map<string, GroupMember> }>;

async function sightOf(as: Caller): Promise<Sight> {
  const { data } = await getGroups(as);
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
function toPublish(me: string, before: Sight, after: Sight, isDeletion: boolean): unknown[] {
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

async function play(steps: readonly Step[]): Promise<void> {
  const cast: Cast = newPeople();
  const readers = await Promise.all(
    names.map(async (name) => ({
      as: cast[name],
      cursor: await getLiveCursor(cast[name]),
      sight: await sightOf(cast[name]),
    })),
  );
  for (const { who, does, whom } of steps) {
    const as = cast[who];
    const newest = [...(await sightOf(as)).keys()].sort().at(-1);
    if (does !== 'create' && newest === undefined) continue;
    await acts[does](as, newest ?? '', cast[whom].id);
    await publishAll();
    for (const reader of readers) {
      const after = await sightOf(reader.as);
      const { events, cursor } = await listEventsAfter(reader.as, reader.cursor, 5);
      for (const { type } of events) seenTypes.add(type);
      const expected = toPublish(reader.as.id, reader.sight, after, does === 'delete');
      expect(events.map(({ type, payload }) => ({ type, payload }))).toEqual(expected);
      Object.assign(reader, { cursor, sight: after });
    }
  }
}

const name = fc.constantFrom(...names);
const does = fc.constantFrom<Step['does']>('create', 'rename', 'delete', 'appoint');
const doesOften = fc.constantFrom<Step['does']>('add', 'remove');
const steps = fc.array(fc.record({ who: name, does: fc.oneof(does, doesOften), whom: name }), {
  minLength: 1,
  maxLength: 12,
});

const script = (...some: [Who, Step['does'], Who?][]): Step[] =>
  some.map(([who, act, whom = who]) => ({ who, does: act, whom }));

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
  await fc.assert(fc.asyncProperty(steps, play), {
    numRuns: sized(6, 60),
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
