import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { countThings, type Erasure, eraseThings } from '../../../commands/privacy/erase-things.ts';
import { legsOf } from '../../../commands/privacy/legs.ts';
import { personOf } from '../../../commands/privacy/person.ts';
import { wholeTable } from '../../../commands/privacy/walk.ts';
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
  legs: wholeTable,
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
  alone: 1,
  conversations: 4,
};
const nothing = Object.fromEntries(Object.keys({ ...there, events: 0 }).map((name) => [name, 0]));

/** The purge worker's and the live worker's work is done while others wait, at once. */
beforeEach(() => {
  jest.spyOn(clock, 'sleep').mockImplementation(async (milliseconds) => {
    if (milliseconds === 2000) await publishAll();
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

const Thing = v.object({ id: v.string(), conversation_id: v.optional(v.string()) });

/** What the purge worker does, which knows nothing of all this. */
const purged = ({ self, deleted }: PersonFixture) => runPurgeWorker([self, deleted]);

describe('Who is erased', () => {
  // One life, from its end on.
  let life: PersonFixture;
  let cursor: string | null;
  beforeAll(async () => {
    life = await createPersonFixture();
    ({ cursor } = await ok(retrieveLive, { as: life.ann }));
  });

  test('is told of before: what there is, and nothing is done', async () => {
    const { bob, direct } = life;
    expect(await countThings(erasureOf(bob.id))).toEqual({ ...there, events: expect.any(Number) });
    expect(await getConversation(bob, direct)).toMatchObject({ is_pinned: true });
  });

  test('has left nothing in the table but their id where conversations of others name it', async () => {
    const { bob } = life;
    const { erased, left } = await eraseThings(erasureOf(bob.id));
    expect(erased).toEqual({ ...there, events: expect.any(Number) });
    expect(left).toEqual(nothing);
    await purged(life);
    expect(await findTraces(bob.id)).toEqual([]);
  });

  test('is erased again without harm: there is nothing to do', async () => {
    const { erased } = await eraseThings(erasureOf(life.bob.id));
    expect(erased).toEqual({ ...nothing, conversations: there.conversations });
  });

  test('has been told of to the others as when somebody deletes and takes back by themself', async () => {
    const { ann, direct, liked } = life;
    const query = { starting_after: cursor ?? '', limit: '100' };
    const { data } = await ok(listEvents, { as: ann, query });
    const told = data.map(({ type, payload }) => {
      const { conversation_id, id } = v.parse(Thing, payload);
      return `${type} ${id === liked ? 'liked' : conversation_id === direct ? 'direct' : ''}`.trim();
    });
    expect(told.filter((one) => one === 'message.deleted direct')).toHaveLength(2);
    expect(told).toContain('message.updated liked');
    // Each of Bob's messages that Ann could see: two in direct, one of each group.
    expect(told.filter((one) => one.startsWith('message.deleted'))).toHaveLength(4);
  });

  test('is not seen any more by the others, whose conversations, messages and reactions stay', async () => {
    const { ann, cleo, bob, direct, team, named, left } = life;
    const unknown = {
      id: bob.id,
      username: null,
      phone_number: null,
      avatar_url: null,
      last_active_at: null,
      created_at: null,
    };
    jest.spyOn(clock, 'now').mockReturnValue(Date.now() + 31_000);
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
  });
});

describe('Somebody who is erased', () => {
  let life: PersonFixture;
  beforeEach(async () => {
    life = await createPersonFixture();
  });

  test('takes a conversation with them when the other one was erased before', async () => {
    const { ann, bob, direct } = life;
    await eraseThings(erasureOf(ann.id));
    await eraseThings(erasureOf(bob.id));
    // That the conversation is deleted was told to both.
    await eraseThings(erasureOf(ann.id));
    const everybody = { ...ann, groups: [] };
    expect((await getConversations(everybody)).data.map(({ id }) => id)).not.toContain(direct);
    await runPurgeWorker([direct]);
    await purged(life);
    for (const { id } of [ann, bob]) expect(await findTraces(id)).toEqual([]);
  });

  test('is found by indexes and groups as well, in what these lead to', async () => {
    const { bob, left, ann } = life;
    const narrow = await legsOf(table, await personOf(table, bob.id), { narrow: true });
    await eraseThings(erasureOf(bob.id, { legs: narrow }));
    await purged(life);
    expect(await findTraces(bob.id)).toEqual([]);
    expect((await list(ann, left)).data).toHaveLength(1);
  });

  test('and people beside them keep what is theirs', async () => {
    const other = await createPersonFixture();
    const kept = async ({ id }: Caller) => {
      const { profile, messages, settings, requests } = await countThings(erasureOf(id));
      return { profile, messages, settings, requests };
    };
    const others = [life.cleo, other.ann, other.bob, other.cleo];
    const before = await Promise.all(others.map(kept));
    await eraseThings(erasureOf(life.bob.id));
    expect(await Promise.all(others.map(kept))).toEqual(before);
  });
});

test('What is read comes in any number of pages', async () => {
  const { bob, ...life } = await createPersonFixture();
  const whole = await countThings(erasureOf(bob.id));
  expect(await countThings(erasureOf(bob.id, { pageSize: 3 }))).toEqual(whole);
  const { erased } = await eraseThings(erasureOf(bob.id, { pageSize: 3 }));
  expect({ ...erased, events: 0 }).toEqual({ ...whole, events: 0 });
  await purged({ bob, ...life });
  expect(await findTraces(bob.id)).toEqual([]);
});

test('Somebody who never was is not there, and their id never gets a face', async () => {
  const ghost = 'a-ghost';
  const { erased } = await eraseThings(erasureOf(ghost));
  expect(erased).toEqual(nothing);
  const { ann } = await createPersonFixture();
  const { id } = await create(ann, { contact_id: ghost });
  const boo = { conversation_id: id, message: 'Boo' };
  await refused(sendMessage, { as: { ...ann, id: ghost, groups: [] }, body: boo });
  expect(await getContact(ann, ghost)).toMatchObject({ username: null });
});
