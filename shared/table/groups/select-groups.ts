import { type Caller, maxGroups } from '../../caller.ts';
import { isUserGroup } from '../../ids.ts';
import { readGroupBounds } from '../group-heads.ts';

/**
 * Returns the caller with at most `maxGroups` groups to subscribe to: the token's groups, then the
 * most recently active user groups. AppSync accepts 200 subscriptions per connection, and in the
 * last ten minutes of an hour each inbox has two channels.
 */
export async function selectGroups(caller: Caller): Promise<Caller> {
  if (caller.groups.length <= maxGroups) return caller;
  const ofUsers = caller.groups.filter(isUserGroup);
  const ofToken = caller.groups.filter((group) => !isUserGroup(group));
  const getActiveUntil = await readGroupBounds(ofUsers, 'active_until');
  const getRank = (group: string) => getActiveUntil(group) ?? 0;
  const ranked = ofUsers.toSorted((one, other) => getRank(other) - getRank(one));
  return { ...caller, groups: [...ofToken, ...ranked].slice(0, maxGroups) };
}
