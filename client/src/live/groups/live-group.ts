import { hasCode } from '../../api-error.ts';
import type { Group, GroupMember } from '../../generated/types.ts';
import type { LiveContext } from '../live-context.ts';
import type { LiveInbox } from '../live-types.ts';
import type { GroupChange } from '../push-event.ts';
import { hasLeftSince } from '../stores/left-groups.ts';
import { type LiveGroupStore, type LoadState, listAll, openGroupStore } from './group-store.ts';

/** A group and its members, as an app shows them. */
export interface GroupSnapshot extends LoadState {
  /** `gone`: the group was deleted, or the user is not a member. */
  readonly status: LoadState['status'];
  /** Null until a load or an event delivers the group. Also null if the status is `gone`. */
  readonly group: Group | null;
  /** Members in the order in which they joined. */
  readonly members: readonly GroupMember[];
  /** The user's role; null until the group is loaded, and if the status is `gone`. */
  readonly role: GroupMember['role'] | null;
}

export const loadingGroup: GroupSnapshot = {
  status: 'loading',
  error: null,
  group: null,
  members: [],
  role: null,
};

const goneGroup: GroupSnapshot = { ...loadingGroup, status: 'gone' };

/** Keeps a group and its members up to date until `close` is called. */
export const liveGroup = (inbox: LiveInbox, id: string): LiveGroupStore<GroupSnapshot> =>
  openGroupStore<GroupSnapshot>(inbox, {
    initial: loadingGroup,
    fetch: (live) => fetchGroup(live, id),
    apply: (state, change) => applyChange(state, change, id),
    leave: (state, groupId) => (groupId === id ? goneGroup : state),
  });

async function fetchGroup(live: LiveContext, id: string) {
  const { client, changes, signal, userId } = live;
  const since = changes.getTick();
  const params = { group_id: id };
  try {
    const [group, members] = await Promise.all([
      client.groups.retrieve(params, { signal }),
      listAll(client.members.list({ ...params, limit: 100 }, { signal })),
    ]);
    return (state: GroupSnapshot): GroupSnapshot => {
      if (changes.isDeleted(id) || hasLeftSince(changes, id, since)) return state;
      // Before the first load, the state contains no members, so the reply's members are used.
      const hasChanged = ({ contact_id }: GroupMember) =>
        state.status === 'ready' && changes.hasChangedSince(`${id}-${contact_id}`, since);
      const changedMembers = state.members.filter(hasChanged);
      const merged = changedMembers.reduce(
        putMember,
        members.filter((one) => !hasChanged(one) || changedMembers.some(isSame(one))),
      );
      return {
        ...state,
        status: 'ready',
        group: (changes.hasChangedSince(id, since) && state.group) || group,
        members: merged,
        role: merged.find(({ contact_id }) => contact_id === userId)?.role ?? null,
      };
    };
  } catch (cause) {
    if (!hasCode(cause, 'not_found')) throw cause;
    return () => goneGroup;
  }
}

function applyChange(state: GroupSnapshot, change: GroupChange, id: string): GroupSnapshot {
  if (state.status === 'gone') return state;
  if (!('contact_id' in change)) return change.id === id ? { ...state, group: change } : state;
  if (change.group_id !== id || state.status !== 'ready') return state;
  const { members } = state;
  if ('deleted' in change) {
    const isRemoved = isSame(change);
    return { ...state, members: members.filter((member) => !isRemoved(member)) };
  }
  const { contact_id, role, joined_at } = change;
  return { ...state, members: putMember(members, { contact_id, role, joined_at }) };
}

const isSame = (one: { contact_id: string }) => (other: GroupMember) =>
  other.contact_id === one.contact_id;

/** Replaces a member in its position, or appends a new member. Returns the new list. */
function putMember(members: readonly GroupMember[], member: GroupMember): readonly GroupMember[] {
  const isPrevious = isSame(member);
  if (!members.some(isPrevious)) return [...members, member];
  return members.map((one) => (isPrevious(one) ? member : one));
}
