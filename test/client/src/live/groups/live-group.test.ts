import { expect, test } from '@jest/globals';
import { liveGroup, liveGroups } from '../../../../../client/src/index.ts';
import { contexts } from '../../../../../client/src/live/live-context.ts';
import { startListening } from '../../../simulation/listening-client.ts';
import { advanceTime, useSimulatedTime } from '../../../simulation/simulation.ts';

useSimulatedTime();

const second = 1000;

/** Opens a group that Bob created with Carol and Ann as members. */
async function openCinema() {
  const { service, network, inbox } = await startListening({});
  const group = service.createGroup('bob', 'Cinema');
  for (const member of ['carol', 'ann']) service.addMember(group, member);
  await advanceTime(10 * second);
  const cinema = liveGroup(inbox, group.id);
  await advanceTime(10 * second);
  return { service, network, inbox, group, cinema };
}

test('A role change keeps the order and the number of members', async () => {
  const { service, inbox, group, cinema } = await openCinema();
  const shown = new Set<string>();
  cinema.subscribe(() =>
    shown.add(
      cinema
        .getSnapshot()
        .members.map(({ contact_id, role }) => `${contact_id} ${role}`)
        .join(', '),
    ),
  );
  service.setRole(group, 'carol', 'admin');
  await advanceTime(10 * second);
  expect([...shown]).toEqual(['bob owner, carol admin, ann member']);
  inbox.close();
});

test('A late event does not restore a group that the user has left', async () => {
  const { service, inbox, group, cinema } = await openCinema();
  const { group: loaded } = cinema.getSnapshot();
  service.removeMember(group, 'ann');
  await advanceTime(10 * second);
  const goneSnapshot = { status: 'gone', error: null, group: null, members: [], role: null };
  expect(cinema.getSnapshot()).toEqual(goneSnapshot);
  for (const store of contexts.get(inbox)?.groupStores ?? []) if (loaded) store.apply(loaded);
  expect(cinema.getSnapshot()).toEqual(goneSnapshot);
  inbox.close();
});

test('If members are added or removed while a group loads, the store shows the current members', async () => {
  const { service, network, inbox, group } = await openCinema();
  network.conditions.replyDelay = () => 5 * second;
  service.addMember(group, 'dave');
  const cinema = liveGroup(inbox, group.id);
  await advanceTime(second);
  service.removeMember(group, 'carol');
  await advanceTime(30 * second);
  const shown = cinema.getSnapshot().members.map(({ contact_id }) => contact_id);
  expect(shown).toEqual(['bob', 'ann', 'dave']);
  inbox.close();
});

test('If a group is renamed while the groups load, the store shows the new title', async () => {
  const { service, network, inbox, group } = await openCinema();
  network.conditions.replyDelay = () => 5 * second;
  const groups = liveGroups(inbox);
  await advanceTime(second);
  service.renameGroup(group, 'Theater');
  await advanceTime(30 * second);
  expect(groups.getSnapshot().groups.map(({ title }) => title)).toEqual(['Theater']);
  inbox.close();
});
