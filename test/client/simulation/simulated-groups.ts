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

export function createGroup(state: ServiceState, who: string, title: string): SimulatedGroup {
  const now = Date.now();
  const group: SimulatedGroup = {
    ...{ id: `grp_${state.userGroups.size}`, title, createdBy: who, createdAt: now },
    ...{ members: [], version: 1, versions: new Map(), isDeleted: false },
  };
  state.userGroups.set(group.id, group);
  addMember(state, group, who, 'owner');
  return group;
}

export function addMember(
  state: ServiceState,
  group: SimulatedGroup,
  who: string,
  role: GroupMember['role'] = 'member',
): void {
  const groups = getGroups(state, who);
  if (groups.has(group.id) || group.isDeleted) return;
  groups.add(group.id);
  group.members = [...group.members, { contact_id: who, role, joined_at: seconds(Date.now()) }];
  publishMembership(state, group, who, 'group.member_added');
}

export function setRole(
  state: ServiceState,
  group: SimulatedGroup,
  who: string,
  role: GroupMember['role'],
): void {
  group.members = group.members.map((one) => (one.contact_id === who ? { ...one, role } : one));
  publishMembership(state, group, who, 'group.member_added');
}

export function removeMember(state: ServiceState, group: SimulatedGroup, who: string): void {
  if (!getGroups(state, who).delete(group.id)) return;
  group.members = group.members.filter(({ contact_id }) => contact_id !== who);
  publishMembership(state, group, who, 'group.member_removed');
}

function publishMembership(
  state: ServiceState,
  group: SimulatedGroup,
  who: string,
  type: 'group.member_added' | 'group.member_removed',
): void {
  const version = getMembershipVersion(group, who) + 1;
  group.versions.set(who, version);
  publishGroup(state, { type, group, contactId: who, version }, [`g:${group.id}`, `c:${who}`]);
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

/** Answers `GET /v1/groups`, `/v1/groups/{group_id}` and `/v1/groups/{group_id}/members`. */
export function replyToGroups(
  state: ServiceState,
  who: string,
  id: string | undefined,
  isOfMembers: boolean,
): SimulatedReply {
  const groups = [...state.userGroups.values()].filter((one) => getGroups(state, who).has(one.id));
  if (id === undefined) return toReply({ has_more: false, data: groups.reverse().map(toGroup) });
  const group = groups.find((one) => one.id === id);
  if (!group) return notFound;
  return toReply(isOfMembers ? { has_more: false, data: group.members } : toGroup(group));
}
