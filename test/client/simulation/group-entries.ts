import type {
  Event,
  Group,
  GroupMember,
  Member,
  RemovedMember,
} from '../../../client/src/index.ts';
import { type Entry, seconds } from './simulated-conversations.ts';

/** A group that a user has created. Access depends on the state's `groups`, not on `members`. */
export interface SimulatedGroup {
  readonly id: string;
  readonly createdBy: string;
  readonly createdAt: number;
  title: string;
  /** Sorted by joining time, oldest first. */
  members: readonly GroupMember[];
  /** Starts at 1 and increases by 1 with each title change. */
  version: number;
  /** Membership versions by contact id. Each change of a membership adds 1 to its version. */
  readonly versions: Map<string, number>;
  isDeleted: boolean;
}

export interface GroupEntry extends Pick<Entry, 'version' | 'at' | 'time'> {
  type: `group.${string}` & Event['type'];
  group: SimulatedGroup;
  contactId?: string;
}

export const getMembershipVersion = ({ versions }: SimulatedGroup, contactId: string): number =>
  versions.get(contactId) ?? 0;

export const toMemberIds = ({ id }: SimulatedGroup, contactId: string) => ({
  ...{ id: `${id}-${contactId}`, group_id: id, contact_id: contactId },
});

/** Returns a contact's membership, with `deleted: true` if the contact is not a member. */
export function toMember(group: SimulatedGroup, contactId: string): Member | RemovedMember {
  const ids = toMemberIds(group, contactId);
  const member = group.members.find(({ contact_id }) => contact_id === contactId);
  return member ? { ...ids, ...member } : { ...ids, deleted: true };
}

export const toGroup = ({ id, title, createdBy, createdAt, members }: SimulatedGroup): Group => ({
  ...{ id, title, avatar_url: null, created_by: createdBy, member_count: members.length },
  ...{ created_at: seconds(createdAt), updated_at: seconds(createdAt) },
});

export function toGroupEvent(
  { type, group, contactId = '', version, at }: GroupEntry,
  feed: string,
  place: number,
): Event {
  const fields = {
    id: `${group.id}-${contactId}-${version}`,
    created_at: at,
    version,
    feed,
    place,
  };
  const member = toMember(group, contactId);
  const removed = { ...toMemberIds(group, contactId), deleted: true } as const;
  const current = { ...fields, version: getMembershipVersion(group, contactId) };
  switch (type) {
    case 'group.member_added':
      return { ...current, type, payload: member };
    case 'group.member_removed':
      return { ...fields, type, payload: removed };
    case 'group.updated':
      return { ...fields, type, version: group.version, payload: toGroup(group) };
    default:
      return { ...fields, type: 'group.deleted', payload: { id: group.id, deleted: true } };
  }
}
