import { getItems } from '../calls/access.ts';
import { groupKey } from '../keys/group-keys.ts';
import { type GroupItem, parseGroup } from './group-item.ts';
import { listMemberships } from './list-memberships.ts';

export interface GroupRange {
  /** Id of the group to start after. */
  start: string | undefined;
  backwards: boolean;
  count: number;
}

/**
 * Returns up to `count` of a contact's user groups after `start`, newest first or, if `backwards`,
 * oldest first.
 */
export async function listGroupsOf(
  contactId: string,
  { start, backwards, count }: GroupRange,
): Promise<GroupItem[]> {
  const newestFirst = (await listMemberships(contactId)).map(({ group_id }) => group_id);
  const ids = (backwards ? newestFirst.toReversed() : newestFirst).filter(
    (id) => start === undefined || (backwards ? id > start : id < start),
  );
  const found: GroupItem[] = [];
  // Reads a second batch only if memberships of a deleted group have not ended yet.
  for (let offset = 0; offset < ids.length && found.length < count; offset += count) {
    const items = await getItems(ids.slice(offset, offset + count).map(groupKey));
    found.push(...items.flatMap((item) => parseGroup(item) ?? []));
  }
  const direction = backwards ? 1 : -1;
  return found.toSorted((a, b) => (a.id < b.id ? -direction : direction)).slice(0, count);
}
