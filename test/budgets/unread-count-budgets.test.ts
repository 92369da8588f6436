import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Caller } from '../../shared/caller.ts';
import { listConversations, retrieveConversation } from '../../shared/contract/operations.ts';
import { usage } from '../../shared/log/usage.ts';
import { update } from '../../shared/table/calls/access.ts';
import { conversationKey } from '../../shared/table/keys/keys.ts';
import { create, list, send } from '../support/handlers/api-calls.ts';
import { person } from '../support/handlers/callers.ts';
import { ok, request } from '../support/handlers/invoke-handler.ts';
import { createVirtualClock } from '../support/handlers/virtual-clock.ts';
import { sized } from '../support/setup/sample-size.ts';
import { crashAtCall, failUpdates, pauseFirstMessagePut } from '../support/table/call-hooks.ts';
import { seedMessages } from '../support/table/seed-messages.ts';
import '../support/setup/use-table.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

let people = 0;
async function twoPeople() {
  people += 1;
  const [dora, zoe] = [person(`dora-c${people}`), person(`zoe-c${people}`)];
  return { dora, zoe, id: (await create(dora, { contact_id: zoe.id })).id };
}

const query = { 'expand[]': 'unread_count' };
const count = (as: Caller, conversation_id: string) =>
  ok(retrieveConversation, { as, path: { conversation_id }, query });

/** What is unread, and what it took to count it. */
async function counted(as: Caller, id: string) {
  const { unread_count } = await count(as, id);
  return { unread_count, calls: usage.table_calls, writes: usage.write_units };
}

/** What one call can give of a conversation that is looked at: it itself, and its log. */
const aLookAndACall = 2;

describe('Who sends and does not read', () => {
  test('is told what is unread behind very many own messages, and pays for these once', async () => {
    const { dora, zoe, id } = await twoPeople();
    await seedMessages(id, zoe.id, 600);
    expect(await counted(zoe, id)).toEqual({
      unread_count: 0,
      calls: aLookAndACall + 2 + 2,
      writes: 2,
    });
    expect(await counted(zoe, id)).toEqual({ unread_count: 0, calls: 1, writes: 0 });
    await send(dora, id, 'at last');
    for (let n = 0; n < 2; n++)
      expect(await counted(zoe, id)).toEqual({
        unread_count: 1,
        calls: aLookAndACall,
        writes: 0,
      });
  });

  test('has the first message that is unread counted again, whatever of one’s own is around it', async () => {
    const { dora, zoe, id } = await twoPeople();
    await seedMessages(id, zoe.id, 150);
    await send(dora, id, 'unread');
    await send(zoe, id, 'mine');
    await send(dora, id, 'unread too');
    const looks = [await counted(zoe, id), await counted(zoe, id)];
    expect(looks).toEqual([
      { unread_count: 2, calls: aLookAndACall + 2, writes: 1 },
      { unread_count: 2, calls: aLookAndACall, writes: 0 },
    ]);
    expect((await list(zoe, id, { peek: 'true' })).data[0]?.message).toBe('unread too');
  });

  test('is not told that the conversation was opened by it', async () => {
    const { dora, zoe, id } = await twoPeople();
    await seedMessages(id, zoe.id, 250);
    expect(await count(zoe, id)).toMatchObject({ last_opened_at: null });
    expect(await count(zoe, id)).toMatchObject({ last_opened_at: null });
    expect(await count(dora, id)).toMatchObject({ unread_count: 100, last_opened_at: null });
  });

  test('goes on where the time was over', async () => {
    const { zoe, id } = await twoPeople();
    await seedMessages(id, zoe.id, 60, () => Date.now() - 120_000, 'x'.repeat(200_000));
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 20 && statuses.at(-1) !== 200; attempt++) {
      const revive = crashAtCall(7, 'before');
      const call = { as: zoe, path: { conversation_id: id }, query };
      statuses.push((await request(retrieveConversation, call)).status);
      revive();
    }
    expect(statuses).toEqual([503, 503, 503, 200]);
    expect((await counted(zoe, id)).calls).toBeLessThanOrEqual(aLookAndACall);
  });

  test('is told all the same where nothing can be noted', async () => {
    const { dora, zoe, id } = await twoPeople();
    await seedMessages(id, zoe.id, 250);
    await send(dora, id, 'unread');
    const calm = failUpdates();
    expect((await count(zoe, id)).unread_count).toBe(1);
    calm();
    expect((await count(zoe, id)).unread_count).toBe(1);
  });
});

describe('A message that arrives late, at a place below very many own ones', () => {
  test('is counted', async () => {
    const { dora, zoe, id } = await twoPeople();
    const { isHeld, resume: letGo, undo } = pauseFirstMessagePut();
    const slow = send(dora, id, 'slow');
    await isHeld;
    await send(zoe, id, 'mine');
    const now = Date.now();
    await seedMessages(id, zoe.id, 300, (sequence) => (sequence < 3 ? undefined : now));
    expect((await count(zoe, id)).unread_count).toBe(0);
    letGo();
    await slow;
    undo();
    expect((await count(zoe, id)).unread_count).toBe(1);
  });

  test('is waited for a minute: then it is that of a send that died', async () => {
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
    const looks = [await counted(zoe, id), await counted(zoe, id)];
    expect(looks.map(({ calls }) => calls)).toEqual([aLookAndACall + 1, aLookAndACall + 1]);
    pass(61_000);
    expect((await counted(zoe, id)).writes).toBe(1);
    expect(await counted(zoe, id)).toEqual({ unread_count: 0, calls: 1, writes: 0 });
  });
});

const largeText = 'x'.repeat(sized(120_000, 240_000));
/** The two inboxes, the place of the cursor, and a look at what they gave. */
const theLists = 4;
/** What one call gives, a megabyte and the rest of the message that passes it. */
const maxUnitsOfCall = 300;

describe('An inbox with very many of the largest messages unread', () => {
  let zoe: Caller;
  const ids: string[] = [];

  beforeAll(async () => {
    const two = await twoPeople();
    zoe = two.zoe;
    for (let n = 0; n < 3; n++) {
      const { id } = await create(two.dora, { contact_id: zoe.id });
      await seedMessages(id, two.dora.id, 100, () => Date.now(), largeText);
      ids.push(id);
    }
  });

  test('is told of each conversation what is unread, by a call a megabyte', async () => {
    const [id = ''] = ids;
    expect((await counted(zoe, id)).calls).toBeLessThanOrEqual(1 + 25);
    expect(usage.read_units).toBeLessThanOrEqual(2 + 100 * 60);
  });

  test('is listed in pages that are shorter, rather than not at all', async () => {
    const seen: (number | undefined)[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      pages += 1;
      const more = cursor ? { starting_after: cursor } : {};
      const page = await ok(listConversations, { as: zoe, query: { ...query, ...more } });
      expect(usage.table_calls).toBeLessThanOrEqual(theLists + 3 + 25);
      expect(usage.read_units).toBeLessThanOrEqual(10 + (3 + 25) * maxUnitsOfCall);
      seen.push(...page.data.map(({ unread_count }) => unread_count));
      cursor = page.has_more ? page.data.at(-1)?.id : undefined;
    } while (cursor);
    expect(pages).toBeGreaterThan(1);
    expect(seen).toEqual([100, 100, 100, 0]);
  });
});
