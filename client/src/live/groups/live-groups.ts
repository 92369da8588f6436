import type { Group } from '../../generated/types.ts';
import type { LiveInbox } from '../live-types.ts';
import { hasLeftSince } from '../stores/left-groups.ts';
import { type LiveGroupStore, type LoadState, listAll, openGroupStore } from './group-store.ts';

/** The user's groups, as an app shows them. The token's groups are not included. */
export interface GroupsSnapshot extends LoadState {
  readonly status: Exclude<LoadState['status'], 'gone'>;
  /** The user's groups in the order of the API's list, newest first. */
  readonly groups: readonly Group[];
}

export const loadingGroups: GroupsSnapshot = { status: 'loading', error: null, groups: [] };

/** Keeps the list of the user's groups up to date until `close` is called. */
export const liveGroups = (inbox: LiveInbox): LiveGroupStore<GroupsSnapshot> =>
  openGroupStore<GroupsSnapshot>(inbox, {
    initial: loadingGroups,
    fetch: async (live) => {
      const { client, changes, signal } = live;
      const since = changes.getTick();
      const groups = await listAll(client.groups.list({ limit: 100 }, { signal }));
      const isPresent = ({ id }: Group) =>
        !changes.isDeleted(id) && !hasLeftSince(changes, id, since);
      return (state) => {
        const changed = new Map(
          state.groups
            .filter(({ id }) => changes.hasChangedSince(id, since))
            .map((group) => [group.id, group]),
        );
        const shown = groups.filter(isPresent).map((group) => changed.get(group.id) ?? group);
        return { ...state, status: 'ready', groups: shown };
      };
    },
    apply: (state, change) => {
      const id = 'contact_id' in change ? change.group_id : change.id;
      if (!state.groups.some((group) => group.id === id)) return state;
      const groups = state.groups.map((group) =>
        group.id === id && !('contact_id' in change) ? change : group,
      );
      return { ...state, groups };
    },
    leave: (state, groupId) => ({
      ...state,
      groups: state.groups.filter(({ id }) => id !== groupId),
    }),
  });
