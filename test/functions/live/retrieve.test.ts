import { expect, jest, test } from '@jest/globals';
import { maxGroups } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { retrieveLive } from '../../../shared/contract/operations.ts';
import { env } from '../../../shared/env.ts';
import { toFeedName } from '../../../shared/inbox.ts';
import { create, send } from '../../support/handlers/api-calls.ts';
import { ok } from '../../support/handlers/invoke-handler.ts';
import { createTrio } from '../../support/people/callers.ts';
import { seedUserGroup } from '../../support/seeds/memberships.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import '../../support/setup/use-table.ts';

test('Retrieving the live endpoint returns its address and, for each of the caller’s feeds, a channel and the current sequence number', async () => {
  const { cleo, xavier, team } = createTrio();
  const { id } = await create(cleo, { contact_id: xavier.id });
  for (const text of ['Hello', 'Hello again']) await send(cleo, id, text);
  await publishAll();
  const hour = 500_000;
  jest.spyOn(clock, 'now').mockReturnValue(hour * 3_600_000);
  const [own, group] = [
    toFeedName({ kind: 'contact', id: xavier.id }),
    toFeedName({ kind: 'group', id: team }),
  ];
  expect(await ok(retrieveLive, { as: { ...xavier, groups: [team] } })).toEqual({
    url: env('LIVE_URL'),
    host: env('LIVE_HOST'),
    channels: [
      { name: `/inbox/${own}/${hour}`, feed: own, group_id: null, place: 3 },
      { name: `/inbox/${group}/${hour}`, feed: group, group_id: team, place: 0 },
    ],
    expires_at: (hour + 1) * 3600,
    expires_in: 3600,
    cursor: expect.any(String),
    is_complete: true,
  });
});

test('If the token has 99 groups, the only user group with a channel is the most recently active one', async () => {
  const { cleo, xavier } = createTrio();
  const groups = Array.from({ length: maxGroups - 1 }, (_, n) => `group-${n}`);
  const listener = { ...xavier, groups };
  const userGroups = await Promise.all(
    Array.from({ length: 3 }, () => seedUserGroup({ [cleo.id]: 'owner', [xavier.id]: 'member' })),
  );
  for (const active of userGroups) {
    jest.spyOn(clock, 'now').mockReturnValue(clock.now() + 60 * 60_000);
    await create(cleo, { group_id: active });
    const { channels } = await ok(retrieveLive, { as: listener });
    const listened = channels.map(({ group_id }) => group_id);
    expect(userGroups.filter((group) => listened.includes(group))).toEqual([active]);
  }
});
