import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import {
  countItems,
  type Erasure,
  eraseItems,
} from '../../../commands/privacy/erase/erase-items.ts';
import { readPerson } from '../../../commands/privacy/items/read-person.ts';
import { getSearchRanges } from '../../../commands/privacy/items/search-ranges.ts';
import { type Caller, maxGroups } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import {
  listConversations,
  listEvents,
  retrieveLive,
  sendMessage,
} from '../../../shared/contract/operations.ts';
import {
  block,
  changeConversation,
  create,
  getBlocks,
  getContact,
  getConversation,
  getConversations,
  list,
  removeConversation,
  send,
} from '../../support/handlers/api-calls.ts';
import { ok, refused } from '../../support/handlers/invoke-handler.ts';
import { person, unknownContact } from '../../support/people/callers.ts';
import { createBusinessRecord, seedBusinesses } from '../../support/seeds/seed-businesses.ts';
import { emptyTable } from '../../support/table/empty-table.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import { runPurgeWorker } from '../../support/workers/purge-worker.ts';
import { findTraces } from './find-traces.ts';
import {
  createPersonFixture,
  type PersonFixture,
  table,
  toErasure as toQuietErasure,
} from './person-fixture.ts';
import '../../support/setup/use-table.ts';

const toErasure = (id: string, more: Partial<Erasure> = {}) =>
  toQuietErasure(id, { hasEvents: true, ...more });

const expectedCounts = {
  profile: 1,
  messages: 5,
  reports: 1,
  endpoints: 1,
  reactions: 2,
  settings: 3,
  requests: 2,
  distinct: 2,
  soleConversations: 1,
  conversations: 4,
};
const noCounts = {};

/** Skips all waits. Runs the live worker during each two-second wait. */
beforeEach(() => {
  jest.spyOn(clock, 'sleep').mockImplementation(async (milliseconds) => {
    if (milliseconds === 2000) await publishAll();
  });
});
const EventPayload = v.object({ id: v.string(), conversation_id: v.optional(v.string()) });

/** Runs the purge worker for the conversations that the erasure and the fixture deleted. */
const purge = ({ self, deleted }: PersonFixture) => runPurgeWorker([self, deleted]);

async function checkCounting(fixture: PersonFixture): Promise<void> {
  const { bob, direct } = fixture;
  expect(await countItems(toErasure(bob.id))).toEqual({
    ...expectedCounts,
    events: expect.any(Number),
  });
  expect(await getConversation(bob, direct)).toMatchObject({ is_pinned: true });
}

/** Erases Bob, and checks that his id remains only in the places that docs/privacy.md lists. */
async function checkErasure(fixture: PersonFixture): Promise<void> {
  const { bob } = fixture;
  const { erased, remaining } = await eraseItems(toErasure(bob.id));
  expect(erased).toEqual({ ...expectedCounts, events: expect.any(Number) });
  expect(remaining).toEqual(noCounts);
  await purge(fixture);
  expect(await findTraces(bob.id)).toEqual([]);
}

async function checkRepeatedErasure(fixture: PersonFixture): Promise<void> {
  const { erased } = await eraseItems(toErasure(fixture.bob.id));
  expect(erased).toEqual({ ...noCounts, conversations: expectedCounts.conversations });
}

/** Checks that Ann receives the events of ordinary deletions and of removed reactions. */
async function checkEvents(fixture: PersonFixture, cursor: string | null): Promise<void> {
  const { ann, direct, liked } = fixture;
  const query = { starting_after: cursor ?? '', limit: '100' };
  const { data } = await ok(listEvents, { as: ann, query });
  const events = data.map(({ type, payload }) => {
    const { conversation_id, id } = v.parse(EventPayload, payload);
    return `${type} ${id === liked ? 'liked' : conversation_id === direct ? 'direct' : ''}`.trim();
  });
  expect(events.filter((one) => one === 'message.deleted direct')).toHaveLength(2);
  expect(events).toContain('message.updated liked');
  // Ann could see four of Bob's messages: two in the direct conversation, and one in each group.
  expect(events.filter((one) => one.startsWith('message.deleted'))).toHaveLength(4);
}

/** Checks that Bob has no profile, and that other users keep their messages and reactions. */
async function checkViews(fixture: PersonFixture): Promise<void> {
  const { ann, cleo, bob, direct, team, named, leftTeam } = fixture;
  const unknown = unknownContact(bob.id);
  jest.spyOn(clock, 'now').mockReturnValue(clock.now() + 31_000);
  expect(await getContact(ann, bob.id)).toEqual(unknown);
  const { data } = await getConversations(ann, { contact_id: bob.id, 'expand[]': 'contact' });
  expect(data).toMatchObject([
    { id: direct, contact_id: bob.id, contact: unknown, is_muted: true },
  ]);
  const listTexts = async (as: Caller, id: string) =>
    (await list(as, id)).data.map(({ message, reactions }) => ({ message, reactions }));
  const liked = [{ thumbsup: [ann.id] }];
  expect(await listTexts(ann, direct)).toEqual([{ message: 'Hello', reactions: liked }]);
  expect(await listTexts(cleo, team)).toEqual([{ message: 'To all', reactions: liked }]);
  expect(await listTexts(ann, leftTeam)).toEqual([{ message: 'Bye', reactions: [] }]);
  expect(await listTexts(cleo, named)).toEqual([{ message: 'Welcome', reactions: [] }]);
  expect(await getConversation(ann, direct)).toMatchObject({ pinned_message_id: null });
}

test('An erasure leaves only the person’s id, and other users keep their data', async () => {
  const fixture = await createPersonFixture();
  const { cursor } = await ok(retrieveLive, { as: fixture.ann });
  await checkCounting(fixture);
  await checkErasure(fixture);
  await checkRepeatedErasure(fixture);
  await checkEvents(fixture, cursor);
  await checkViews(fixture);
});

describe('An erasure', () => {
  let fixture: PersonFixture;
  beforeEach(async () => {
    await emptyTable();
    fixture = await createPersonFixture();
  });

  test('deletes a direct conversation if the other participant was already erased', async () => {
    const { ann, bob, direct } = fixture;
    await eraseItems(toErasure(ann.id));
    await eraseItems(toErasure(bob.id));
    // Deleting the conversation added an event to Ann's feed after her erasure.
    await eraseItems(toErasure(ann.id));
    const annWithoutGroups = { ...ann, groups: [] };
    expect((await getConversations(annWithoutGroups)).data.map(({ id }) => id)).not.toContain(
      direct,
    );
    await runPurgeWorker([direct]);
    await purge(fixture);
    for (const { id } of [ann, bob]) expect(await findTraces(id)).toEqual([]);
  });

  test('with --narrow erases the data found through the indexes and the person’s groups', async () => {
    const { bob, leftTeam, ann } = fixture;
    const narrow = await getSearchRanges(table, await readPerson(table, bob.id), { narrow: true });
    await eraseItems(toErasure(bob.id, { ranges: narrow }));
    await purge(fixture);
    expect(await findTraces(bob.id)).toEqual([]);
    expect((await list(ann, leftTeam)).data).toHaveLength(1);
  });

  test('with --narrow searches all groups that the operator names, even if they exceed the group limit of a token', async () => {
    const { id } = fixture.bob;
    const groups = Array.from({ length: maxGroups + 1 }, (_, index) => `shop-${index}`);
    const { groups: known } = await readPerson(table, id);
    expect((await readPerson(table, id, groups)).groups).toEqual([...groups, ...known]);
  });

  test('removes the person’s blocks, and the messages to a contact who has blocked the person', async () => {
    const { bob, cleo } = fixture;
    const { id } = await create(cleo, { contact_id: bob.id });
    await send(bob, id, 'Before the block');
    await block(cleo, bob.id);
    await block(bob, 'blocked-by-bob');
    const { erased } = await eraseItems(toErasure(bob.id));
    expect(erased).toMatchObject({ messages: expectedCounts.messages + 1, blocks: 1 });
    await purge(fixture);
    expect(await findTraces(bob.id)).toEqual([]);
    expect((await getBlocks(cleo)).data).toHaveLength(1);
  });

  test('unassigns the business conversations that are assigned to the person', async () => {
    const { bob, cleo } = fixture;
    await seedBusinesses(createBusinessRecord('garage', { status: 'active' }));
    const staff = person('staff-erase', { groups: ['business:garage'] });
    const { id } = await create(cleo, { business_id: 'garage' });
    await changeConversation(staff, id, { assigned_to: bob.id });
    expect((await eraseItems(toErasure(bob.id))).erased).toMatchObject({ assignments: 1 });
    const query = { assigned_to: 'nobody' };
    const { data } = await ok(listConversations, { as: staff, query });
    expect(data.map((one) => one.id)).toContain(id);
    await purge(fixture);
    expect(await findTraces(bob.id)).toEqual([]);
    await removeConversation(cleo, id);
  });

  test('keeps the data of other users', async () => {
    const other = await createPersonFixture();
    const countOwn = async ({ id }: Caller) => {
      const { profile, messages, settings, requests } = await countItems(toErasure(id));
      return { profile, messages, settings, requests };
    };
    const others = [fixture.cleo, other.ann, other.bob, other.cleo];
    const before = await Promise.all(others.map(countOwn));
    await eraseItems(toErasure(fixture.bob.id));
    expect(await Promise.all(others.map(countOwn))).toEqual(before);
  });
});

test('Counts and erasures of a person’s data do not depend on the page size', async () => {
  await emptyTable();
  const { bob, ...fixture } = await createPersonFixture();
  const total = await countItems(toErasure(bob.id));
  expect(await countItems(toErasure(bob.id, { pageSize: 3 }))).toEqual(total);
  const { erased } = await eraseItems(toErasure(bob.id, { pageSize: 3 }));
  expect({ ...erased, events: 0 }).toEqual({ ...total, events: 0 });
  await purge({ bob, ...fixture });
  expect(await findTraces(bob.id)).toEqual([]);
});

test('Erasing an unknown contact id deletes nothing, and the API then refuses messages from this contact', async () => {
  const unknownId = 'a-ghost';
  const { erased } = await eraseItems(toErasure(unknownId));
  expect(erased).toEqual({ conversations: 0 });
  const { ann } = await createPersonFixture();
  const { id } = await create(ann, { contact_id: unknownId });
  const body = { conversation_id: id, message: 'Boo' };
  await refused(sendMessage, { as: { ...ann, id: unknownId, groups: [] }, body });
  expect(await getContact(ann, unknownId)).toMatchObject({ username: null });
});
