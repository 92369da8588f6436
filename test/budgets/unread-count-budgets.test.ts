import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Caller } from '../../shared/caller.ts';
import { clock } from '../../shared/clock.ts';
import { listConversations, retrieveConversation } from '../../shared/contract/operations.ts';
import { usage } from '../../shared/log/usage.ts';
import { update } from '../../shared/table/calls/access.ts';
import { conversationKey } from '../../shared/table/keys/keys.ts';
import { create, list, send } from '../support/handlers/api-calls.ts';
import { ok, request } from '../support/handlers/invoke-handler.ts';
import { createVirtualClock } from '../support/handlers/virtual-clock.ts';
import { person } from '../support/people/callers.ts';
import { seedMessages } from '../support/seeds/seed-messages.ts';
import {
  crashAtCall,
  failUpdates,
  interceptCalls,
  pauseFirstMessagePut,
} from '../support/table/call-hooks.ts';
import '../support/setup/use-table.ts';

let people = 0;
async function twoPeople() {
  people += 1;
  const [dora, zoe] = [person(`dora-c${people}`), person(`zoe-c${people}`)];
  return { dora, zoe, id: (await create(dora, { contact_id: zoe.id })).id };
}

const query = { 'expand[]': 'unread_count' };
const count = (as: Caller, conversation_id: string) =>
  ok(retrieveConversation, { as, path: { conversation_id }, query });

async function counted(as: Caller, id: string) {
  const { unread_count } = await count(as, id);
  return { unread_count, calls: usage.table_calls, writes: usage.write_units };
}

/** Number of calls that a count makes: one for the conversation and one for its log. */
const callsPerCount = 2;

describe('A sender who does not read messages', () => {
  test('gets an exact unread count after sending many messages, and only the first count reads them', async () => {
    const { dora, zoe, id } = await twoPeople();
    await seedMessages(id, zoe.id, 600);
    expect(await counted(zoe, id)).toEqual({
      unread_count: 0,
      calls: callsPerCount + 2 + 2,
      writes: 2,
    });
    expect(await counted(zoe, id)).toEqual({ unread_count: 0, calls: 1, writes: 0 });
    await send(dora, id, 'at last');
    for (let n = 0; n < 2; n++)
      expect(await counted(zoe, id)).toEqual({
        unread_count: 1,
        calls: callsPerCount,
        writes: 0,
      });
  });

  test('gets an exact unread count after sending messages before and after the first unread message', async () => {
    const { dora, zoe, id } = await twoPeople();
    await seedMessages(id, zoe.id, 150);
    await send(dora, id, 'unread');
    await send(zoe, id, 'mine');
    await send(dora, id, 'unread too');
    const counts = [await counted(zoe, id), await counted(zoe, id)];
    expect(counts).toEqual([
      { unread_count: 2, calls: callsPerCount + 2, writes: 1 },
      { unread_count: 2, calls: callsPerCount, writes: 0 },
    ]);
    expect((await list(zoe, id, { peek: 'true' })).data[0]?.message).toBe('unread too');
  });

  test('gets the count without opening the conversation', async () => {
    const { dora, zoe, id } = await twoPeople();
    await seedMessages(id, zoe.id, 250);
    expect(await count(zoe, id)).toMatchObject({ last_opened_at: null });
    expect(await count(zoe, id)).toMatchObject({ last_opened_at: null });
    expect(await count(dora, id)).toMatchObject({ unread_count: 100, last_opened_at: null });
  });

  test('gets the count after three failed requests, because each request continues the previous count', async () => {
    const { zoe, id } = await twoPeople();
    await seedMessages(id, zoe.id, 1500);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 20 && statuses.at(-1) !== 200; attempt++) {
      const restoreCalls = crashAtCall(5, 'before');
      const call = { as: zoe, path: { conversation_id: id }, query };
      statuses.push((await request(retrieveConversation, call)).status);
      restoreCalls();
    }
    expect(statuses).toEqual([503, 503, 503, 200]);
    expect((await counted(zoe, id)).calls).toBeLessThanOrEqual(callsPerCount);
  });

  test('gets the count even if the service cannot store the progress of the count', async () => {
    const { dora, zoe, id } = await twoPeople();
    await seedMessages(id, zoe.id, 250);
    await send(dora, id, 'unread');
    failUpdates();
    expect((await count(zoe, id)).unread_count).toBe(1);
    expect((await count(zoe, id)).unread_count).toBe(1);
  });
});

describe('A late message with a lower sequence number than many of the reader’s own messages', () => {
  test('is counted', async () => {
    const { dora, zoe, id } = await twoPeople();
    const { paused, resume, undo } = pauseFirstMessagePut();
    const slow = send(dora, id, 'slow');
    await paused;
    await send(zoe, id, 'mine');
    const now = clock.now();
    await seedMessages(id, zoe.id, 300, (sequence) => (sequence < 3 ? undefined : now));
    expect((await count(zoe, id)).unread_count).toBe(0);
    resume();
    await slow;
    undo();
    expect((await count(zoe, id)).unread_count).toBe(1);
  });

  test('counts as a crashed send after a minute', async () => {
    const { dora, zoe, id } = await twoPeople();
    const { pass } = createVirtualClock();
    await send(dora, id, 'read');
    await list(zoe, id);
    await update({
      Key: conversationKey(id),
      UpdateExpression: 'ADD message_count :one',
      ExpressionAttributeValues: { ':one': 1 },
    });
    for (let n = 0; n < 102; n++) await send(zoe, id, 'mine');
    const counts = [await counted(zoe, id), await counted(zoe, id)];
    // Because of the gap, both counts read their first page again, with consistent reads.
    expect(counts.map(({ calls }) => calls)).toEqual([callsPerCount + 2, callsPerCount + 2]);
    pass(61_000);
    expect((await counted(zoe, id)).writes).toBe(1);
    expect(await counted(zoe, id)).toEqual({ unread_count: 0, calls: 1, writes: 0 });
  });
});

const Bounds = v.object({ ExpressionAttributeValues: v.record(v.string(), v.unknown()) });

/** Makes eventually consistent queries of a log return no entry, or only the first. */
const makeReplicaStale = (entries: 0 | 1) =>
  interceptCalls(async ({ operation, input }, proceed) => {
    if (operation === 'Query' && 'ConsistentRead' in input && !input.ConsistentRead) {
      const values = v.parse(Bounds, input).ExpressionAttributeValues;
      const bound = entries === 0 ? values[':high'] : values[':low'];
      Object.assign(input, {
        ExpressionAttributeValues: { ...values, ':low': bound, ':high': bound },
      });
    }
    await proceed();
  });

describe('A count', () => {
  test('of small unread messages costs half a read unit in addition to the cost of reading the conversation', async () => {
    const { dora, zoe, id } = await twoPeople();
    for (let n = 0; n < 3; n++) await send(dora, id, 'unread');
    expect(await counted(zoe, id)).toEqual({ unread_count: 3, calls: callsPerCount, writes: 0 });
    expect(usage.read_units).toBe(1 + 0.5);
  });

  test.each([0, 1] as const)('is exact if a replica has %i of three entries', async (entries) => {
    const { dora, zoe, id } = await twoPeople();
    for (let n = 0; n < 3; n++) await send(dora, id, 'unread');
    makeReplicaStale(entries);
    expect(await counted(zoe, id)).toEqual({
      unread_count: 3,
      calls: callsPerCount + 1,
      writes: 0,
    });
  });

  test('makes no further call if the only message after the read position is the caller’s own', async () => {
    const { dora, zoe, id } = await twoPeople();
    await send(dora, id, 'read');
    await list(zoe, id);
    await send(zoe, id, 'mine');
    const expand = { 'expand[]': ['last_message', 'unread_count'] };
    const call = { as: zoe, path: { conversation_id: id }, query: expand };
    expect(await ok(retrieveConversation, call)).toMatchObject({ unread_count: 0 });
    expect(usage.table_calls).toBe(callsPerCount);
    await send(dora, id, 'unread');
    await send(zoe, id, 'mine');
    expect(await ok(retrieveConversation, call)).toMatchObject({ unread_count: 1 });
  });
});

/** Calls for a first page without counts: two inboxes, the memberships, and the flags. */
const firstPageCalls = 4;
/**
 * Maximum number of calls for a page, after one query per conversation: 25 further queries, and 25
 * writes that store the progress of the counts.
 */
const furtherCalls = 2 * 25;

async function listPages(as: Caller) {
  const pages: { counts: (number | undefined)[]; calls: number; units: number }[] = [];
  let cursor: string | undefined;
  do {
    const more = cursor ? { starting_after: cursor } : {};
    const page = await ok(listConversations, { as, query: { ...query, limit: '100', ...more } });
    const counts = page.data.map(({ unread_count }) => unread_count);
    pages.push({ counts, calls: usage.table_calls, units: usage.read_units });
    cursor = page.has_more ? page.data.at(-1)?.id : undefined;
  } while (cursor);
  return pages;
}

async function createConversations(dora: Caller, zoe: Caller, number: number) {
  const ids: string[] = [];
  for (let n = 0; n < number; n++) ids.push((await create(dora, { contact_id: zoe.id })).id);
  return ids;
}

describe('An inbox with unread messages of 60 KB each', () => {
  test('costs at most three times as much as without unread messages', async () => {
    const { dora, zoe } = await twoPeople();
    const ids = await createConversations(dora, zoe, 9);
    const [quiet] = await listPages(zoe);
    for (const id of ids)
      await seedMessages(id, dora.id, 12, () => clock.now(), 'x'.repeat(60_000));
    const [busy, ...others] = await listPages(zoe);
    expect(others).toEqual([]);
    expect(busy?.counts).toEqual([...ids.map(() => 12), 0]);
    expect(busy?.units).toBeLessThanOrEqual(3 * (quiet?.units ?? 0));
  });
});

describe('An inbox whose user has sent many messages and has never read any', () => {
  test('is listed in shorter pages instead of failing', async () => {
    const { dora, zoe } = await twoPeople();
    const ids = await createConversations(dora, zoe, 30);
    for (const id of ids) await seedMessages(id, zoe.id, 150, () => clock.now());
    const pages = await listPages(zoe);
    expect(pages.length).toBeGreaterThan(1);
    for (const { calls } of pages)
      expect(calls).toBeLessThanOrEqual(firstPageCalls + ids.length + furtherCalls);
    expect(pages.flatMap(({ counts }) => counts)).toEqual([...ids, ''].map(() => 0));
  });
});
