import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import {
  countItems,
  type Erasure,
  eraseItems,
} from '../../../commands/privacy/erase/erase-items.ts';
import { readPerson } from '../../../commands/privacy/items/read-person.ts';
import { wholeTable } from '../../../commands/privacy/items/read-ranges.ts';
import { getSearchRanges } from '../../../commands/privacy/items/search-ranges.ts';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { listEvents, retrieveLive, sendMessage } from '../../../shared/contract/operations.ts';
import {
  create,
  getContact,
  getConversation,
  getConversations,
  list,
} from '../../support/handlers/api-calls.ts';
import { ok, refused } from '../../support/handlers/invoke-handler.ts';
import { publishAll } from '../../support/handlers/live-worker.ts';
import { runPurgeWorker } from '../../support/handlers/purge-worker.ts';
import { findTraces } from './find-traces.ts';
import { createPersonFixture, type PersonFixture, table } from './person-fixture.ts';
import '../../support/setup/use-table.ts';

const quick = { reads: 1_000_000, writes: 1_000_000 };
const erasureOf = (id: string, more: Partial<Erasure> = {}): Erasure => ({
  table,
  id,
  ranges: wholeTable,
  rates: quick,
  hasEvents: true,
  ...more,
});

const there = {
  profile: 1,
  messages: 5,
  reactions: 2,
  settings: 3,
  requests: 2,
  distinct: 2,
  soleConversations: 1,
  conversations: 4,
};
const nothing = {};

/** Runs the purge worker and the live worker immediately when the code under test waits. */
beforeEach(() => {
  jest.spyOn(clock, 'sleep').mockImplementation(async (milliseconds) => {
    if (milliseconds === 2000) await publishAll();
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

const EventPayload = v.object({ id: v.string(), conversation_id: v.optional(v.string()) });

/** Runs the purge worker for the conversations that only the erasure or its fixture deleted. */
const purge = ({ self, deleted }: PersonFixture) => runPurgeWorker([self, deleted]);

test('An erased person leaves only the id, and other users keep their data', async () => {
  const life = await createPersonFixture();
  const { cursor } = await ok(retrieveLive, { as: life.ann });
  {
    // Counting changes nothing.
    const { bob, direct } = life;
    expect(await countItems(erasureOf(bob.id))).toEqual({ ...there, events: expect.any(Number) });
    expect(await getConversation(bob, direct)).toMatchObject({ is_pinned: true });
  }
  {
    // Only the id remains, in conversations with other participants.
    const { bob } = life;
    const { erased, remaining } = await eraseItems(erasureOf(bob.id));
    expect(erased).toEqual({ ...there, events: expect.any(Number) });
    expect(remaining).toEqual(nothing);
    await purge(life);
    expect(await findTraces(bob.id)).toEqual([]);
  }
  {
    // A repeated erasure finds nothing.
    const { erased } = await eraseItems(erasureOf(life.bob.id));
    expect(erased).toEqual({ ...nothing, conversations: there.conversations });
  }
  {
    // Other users receive the events of ordinary deletions and withdrawn reactions.
    const { ann, direct, liked } = life;
    const query = { starting_after: cursor ?? '', limit: '100' };
    const { data } = await ok(listEvents, { as: ann, query });
    const events = data.map(({ type, payload }) => {
      const { conversation_id, id } = v.parse(EventPayload, payload);
      return `${type} ${id === liked ? 'liked' : conversation_id === direct ? 'direct' : ''}`.trim();
    });
    expect(events.filter((one) => one === 'message.deleted direct')).toHaveLength(2);
    expect(events).toContain('message.updated liked');
    // All of Bob's messages that Ann could see: two in the direct conversation, one in each group.
    expect(events.filter((one) => one.startsWith('message.deleted'))).toHaveLength(4);
  }
  {
    // Other users see no profile, and keep their conversations, messages and reactions.
    const { ann, cleo, bob, direct, team, named, left } = life;
    const unknown = {
      id: bob.id,
      username: null,
      phone_number: null,
      avatar_url: null,
      last_active_at: null,
      created_at: null,
    };
    jest.spyOn(clock, 'now').mockReturnValue(clock.now() + 31_000);
    expect(await getContact(ann, bob.id)).toEqual(unknown);
    const { data } = await getConversations(ann, { contact_id: bob.id, 'expand[]': 'contact' });
    expect(data).toMatchObject([
      { id: direct, contact_id: bob.id, contact: unknown, is_muted: true },
    ]);
    const textsOf = async (as: Caller, id: string) =>
      (await list(as, id)).data.map(({ message, reactions }) => ({ message, reactions }));
    const liked = [{ thumbsup: [ann.id] }];
    expect(await textsOf(ann, direct)).toEqual([{ message: 'Hello', reactions: liked }]);
    expect(await textsOf(cleo, team)).toEqual([{ message: 'To all', reactions: liked }]);
    expect(await textsOf(ann, left)).toEqual([{ message: 'Bye', reactions: [] }]);
    expect(await textsOf(cleo, named)).toEqual([{ message: 'Welcome', reactions: [] }]);
    expect(await getConversation(ann, direct)).toMatchObject({ pinned_message_id: null });
  }
});

describe('An erasure', () => {
  let life: PersonFixture;
  beforeEach(async () => {
    life = await createPersonFixture();
  });

  test('deletes a direct conversation if the other participant was erased before', async () => {
    const { ann, bob, direct } = life;
    await eraseItems(erasureOf(ann.id));
    await eraseItems(erasureOf(bob.id));
    // Both have received the event of the deletion.
    await eraseItems(erasureOf(ann.id));
    const annWithoutGroups = { ...ann, groups: [] };
    expect((await getConversations(annWithoutGroups)).data.map(({ id }) => id)).not.toContain(
      direct,
    );
    await runPurgeWorker([direct]);
    await purge(life);
    for (const { id } of [ann, bob]) expect(await findTraces(id)).toEqual([]);
  });

  test('with --narrow finds the data that the indexes and groups lead to', async () => {
    const { bob, left, ann } = life;
    const narrow = await getSearchRanges(table, await readPerson(table, bob.id), { narrow: true });
    await eraseItems(erasureOf(bob.id, { ranges: narrow }));
    await purge(life);
    expect(await findTraces(bob.id)).toEqual([]);
    expect((await list(ann, left)).data).toHaveLength(1);
  });

  test('keeps the data of other users', async () => {
    const other = await createPersonFixture();
    const kept = async ({ id }: Caller) => {
      const { profile, messages, settings, requests } = await countItems(erasureOf(id));
      return { profile, messages, settings, requests };
    };
    const others = [life.cleo, other.ann, other.bob, other.cleo];
    const before = await Promise.all(others.map(kept));
    await eraseItems(erasureOf(life.bob.id));
    expect(await Promise.all(others.map(kept))).toEqual(before);
  });
});

test('Erasures give the same result for any page size', async () => {
  const { bob, ...life } = await createPersonFixture();
  const whole = await countItems(erasureOf(bob.id));
  expect(await countItems(erasureOf(bob.id, { pageSize: 3 }))).toEqual(whole);
  const { erased } = await eraseItems(erasureOf(bob.id, { pageSize: 3 }));
  expect({ ...erased, events: 0 }).toEqual({ ...whole, events: 0 });
  await purge({ bob, ...life });
  expect(await findTraces(bob.id)).toEqual([]);
});

test('Erasing an unknown contact deletes nothing, and the contact never gets a profile', async () => {
  const ghost = 'a-ghost';
  const { erased } = await eraseItems(erasureOf(ghost));
  expect(erased).toEqual({ conversations: 0 });
  const { ann } = await createPersonFixture();
  const { id } = await create(ann, { contact_id: ghost });
  const boo = { conversation_id: id, message: 'Boo' };
  await refused(sendMessage, { as: { ...ann, id: ghost, groups: [] }, body: boo });
  expect(await getContact(ann, ghost)).toMatchObject({ username: null });
});
