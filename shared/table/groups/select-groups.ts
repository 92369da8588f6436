import { type Caller, maxGroups } from '../../caller.ts';
import { isUserGroup } from '../../ids.ts';
import { readGroupBounds } from '../group-heads.ts';

/**
 * Returns the caller with at most `maxGroups` groups to subscribe to: the token's groups, then the
 * most recently active user groups. AppSync accepts at most 200 subscriptions per connection, and
 * each inbox has two channels in the last ten minutes of an hour.
 */
export async function selectGroups(caller: Caller): Promise<Caller> {
  if (caller.groups.length <= maxGroups) return caller;
  const userGroups = caller.groups.filter(isUserGroup);
  const tokenGroups = caller.groups.filter((group) => !isUserGroup(group));
  const getActiveUntil = await readGroupBounds(userGroups, 'active_until');
  const getRank = (group: string) => getActiveUntil(group) ?? 0;
  const ranked = userGroups.toSorted((one, other) => getRank(other) - getRank(one));
  return { ...caller, groups: [...tokenGroups, ...ranked].slice(0, maxGroups) };
}
