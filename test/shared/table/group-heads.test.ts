import { expect, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { resetUsage, usage } from '../../../shared/log/usage.ts';
import { getItem } from '../../../shared/table/calls/access.ts';
import {
  announceActivity,
  getGroupBounds,
  raiseGroupBound,
} from '../../../shared/table/group-heads.ts';
import { groupHeadKey } from '../../../shared/table/keys/keys.ts';
import { interceptCalls } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

let created = 0;
function newGroups(count = 6): [string, ...string[]] {
  created += 1;
  const [first = '', ...others] = Array.from({ length: count }, (_, n) => `group-${created}-${n}`);
  return [first, ...others];
}
const failDerivation = () => Promise.reject(new Error('The bound must not be derived.'));

test('A bound is raised but never lowered, and the group’s other bound does not change', async () => {
  const groups = newGroups();
  const [group] = groups;
  await raiseGroupBound(group, 'newest_chunk', 17);
  await Promise.all([5, 9, 3].map((value) => raiseGroupBound(group, 'active_until', value)));
  await raiseGroupBound(group, 'active_until', 8);
  expect(await getItem(groupHeadKey(group))).toMatchObject({ active_until: 9, newest_chunk: 17 });
  expect((await getGroupBounds(groups, 'active_until'))(group)).toBe(9);
});

test('Announcing activity raises `active_until` to ten minutes after the activity', async () => {
  const [group] = newGroups();
  const now = clock.now();
  expect(await announceActivity(group, now)).toBe(now + 600_000);
  expect(await getItem(groupHeadKey(group))).toMatchObject({ active_until: now + 600_000 });
});

test('For up to five groups, bounds are undefined and no call is made', async () => {
  resetUsage();
  const getBound = await getGroupBounds(newGroups(5), 'active_until', failDerivation);
  expect([getBound('group'), usage.table_calls]).toEqual([undefined, 0]);
});

test('A missing bound is derived and stored, unless its derivation returns undefined', async () => {
  const groups = newGroups();
  const [first, second] = groups;
  const derive = async (group: string) => (group === second ? undefined : 0);
  const derived = await getGroupBounds(groups, 'active_until', derive);
  expect(groups.map(derived)).toEqual([0, undefined, 0, 0, 0, 0]);
  const stored = await getGroupBounds(groups, 'active_until');
  expect(groups.map(stored)).toEqual([0, undefined, 0, 0, 0, 0]);
  expect(await getItem(groupHeadKey(first))).toMatchObject({ active_until: 0 });
});

test('A derived bound does not replace a higher bound stored during the derivation', async () => {
  const groups = newGroups();
  const [group] = groups;
  await getGroupBounds(groups, 'active_until', async () => {
    await raiseGroupBound(group, 'active_until', 20);
    return 10;
  });
  expect(await getItem(groupHeadKey(group))).toMatchObject({ active_until: 20 });
});

test('If a derived bound cannot be stored, the read still returns it', async () => {
  const groups = newGroups();
  const undo = interceptCalls(async ({ input }, proceed) => {
    if ('UpdateExpression' in input) throw new Error('The table is unreachable.');
    await proceed();
  });
  const getBound = await getGroupBounds(groups, 'newest_chunk', async () => 1);
  undo();
  expect(getBound(groups[0])).toBe(1);
});
