import type { GroupMember } from '../../../client/src/index.ts';
import { getMembershipVersion, type SimulatedGroup, toGroup } from './group-entries.ts';
import {
  getGroups,
  notFound,
  type ServiceState,
  type SimulatedReply,
  toReply,
} from './service-state.ts';
import { seconds } from './simulated-conversations.ts';
import { publishGroup } from './simulated-feeds.ts';

export function createGroup(state: ServiceState, contactId: string, title: string): SimulatedGroup {
  const now = Date.now();
  const group: SimulatedGroup = {
    ...{ id: `grp_${state.userGroups.size}`, title, createdBy: contactId, createdAt: now },
    ...{ members: [], version: 1, versions: new Map(), isDeleted: false },
  };
  state.userGroups.set(group.id, group);
  addMember(state, group, contactId, 'owner');
  return group;
}

export function addMember(
  state: ServiceState,
  group: SimulatedGroup,
  contactId: string,
  role: GroupMember['role'] = 'member',
): void {
  const groups = getGroups(state, contactId);
  if (groups.has(group.id) || group.isDeleted) return;
  groups.add(group.id);
  group.members = [
    ...group.members,
    { contact_id: contactId, role, joined_at: seconds(Date.now()) },
  ];
  publishMembership(state, group, contactId, 'group.member_added');
}

export function setRole(
  state: ServiceState,
  group: SimulatedGroup,
  contactId: string,
  role: GroupMember['role'],
): void {
  group.members = group.members.map((one) =>
    one.contact_id === contactId ? { ...one, role } : one,
  );
  publishMembership(state, group, contactId, 'group.member_added');
}

export function removeMember(state: ServiceState, group: SimulatedGroup, contactId: string): void {
  if (!getGroups(state, contactId).delete(group.id)) return;
  group.members = group.members.filter(({ contact_id }) => contact_id !== contactId);
  publishMembership(state, group, contactId, 'group.member_removed');
}

function publishMembership(
  state: ServiceState,
  group: SimulatedGroup,
  contactId: string,
  type: 'group.member_added' | 'group.member_removed',
): void {
  const version = getMembershipVersion(group, contactId) + 1;
  group.versions.set(contactId, version);
  publishGroup(state, { type, group, contactId, version }, [`g:${group.id}`, `c:${contactId}`]);
}

export function renameGroup(state: ServiceState, group: SimulatedGroup, title: string): void {
  group.title = title;
  group.version += 1;
  publishGroup(state, { type: 'group.updated', group, version: group.version }, [`g:${group.id}`]);
}

export function deleteGroup(state: ServiceState, group: SimulatedGroup): void {
  const feeds = group.members.map(({ contact_id }) => `c:${contact_id}`);
  for (const { contact_id } of group.members) getGroups(state, contact_id).delete(group.id);
  group.isDeleted = true;
  group.members = [];
  publishGroup(state, { type: 'group.deleted', group, version: group.version + 1 }, feeds);
}

export function replyToGroups(
  state: ServiceState,
  contactId: string,
  id: string | undefined,
  isOfMembers: boolean,
): SimulatedReply {
  const groups = [...state.userGroups.values()].filter((one) =>
    getGroups(state, contactId).has(one.id),
  );
  if (id === undefined) return toReply({ has_more: false, data: groups.reverse().map(toGroup) });
  const group = groups.find((one) => one.id === id);
  if (!group) return notFound;
  return toReply(isOfMembers ? { has_more: false, data: group.members } : toGroup(group));
}
