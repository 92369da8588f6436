import { describe, expect, jest, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { listEvents } from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import { update } from '../../../shared/table/calls/access.ts';
import { nextEpochUpdate } from '../../../shared/table/feed/next-epoch-update.ts';
import { getLinkQuery } from '../../response-invariants/page-rules.ts';
import {
  changeConversation,
  create,
  list,
  removeConversation,
  send,
} from '../../support/handlers/api-calls.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { getLiveCursor, listEventsAfter } from '../../support/handlers/list-events.ts';
import { createTrio } from '../../support/people/callers.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import '../../support/setup/use-table.ts';

const day = 24 * 60 * 60 * 1000;

const refusal = async (as: Caller, starting_after: string) => {
  const { status, code } = await refused(listEvents, { as, query: { starting_after } });
  return [status, code];
};
const expired = [410, 'cursor_expired'];
const wrong = [400, 'parameter_invalid'];

async function sendAll(as: Caller, conversationId: string, count: number) {
  for (let n = 0; n < count; n++) await send(as, conversationId, `${n}`);
  await publishAll();
}

describe('A cursor', () => {
  test('returns the same events on each use, and no events at the end of the feed', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await create(cleo, { contact_id: xavier.id });
    await sendAll(cleo, id, 3);
    const all = await listEventsAfter(xavier);
    expect(all.events.map(({ type }) => type)).toEqual([
      'conversation.created',
      ...Array.from({ length: 3 }, () => 'message.created'),
    ]);
    expect((await listEventsAfter(xavier, undefined, 1)).events).toEqual(all.events);
    await sendAll(cleo, id, 40);
    for (const limit of [7, 100]) {
      const { events, cursor } = await listEventsAfter(xavier, all.cursor, limit);
      expect(events.map(({ place }) => place)).toEqual(events.map((_, n) => n + 5));
      expect(events).toHaveLength(40);
      expect(await listEventsAfter(xavier, cursor)).toEqual({ events: [], cursor });
    }
    expect((await listEventsAfter(xavier, await getLiveCursor(xavier))).events).toEqual([]);
  });

  test('is invalid if it is made up or belongs to another contact', async () => {
    const { cleo, xavier } = createTrio();
    const cursor = await getLiveCursor(cleo);
    expect(await refusal(xavier, cursor)).toEqual(wrong);
    const bytes = Buffer.from(cursor, 'base64url');
    for (const one of [
      'x',
      `${cursor}A`,
      cursor.slice(0, -2),
      Buffer.concat([bytes, Buffer.from([1, 2])]).toString('base64url'),
      Buffer.concat([Buffer.from([2]), bytes.subarray(1)]).toString('base64url'),
      // A position beyond the capacity of its chunk.
      Buffer.concat([bytes.subarray(0, -2), Buffer.from([120, 119])]).toString('base64url'),
    ]) {
      expect([one, await refusal(cleo, one), usage.table_calls]).toEqual([one, wrong, 0]);
    }
    // A cursor from another table's feed.
    const other = Buffer.from(bytes);
    other[8] = (other[8] ?? 0) + 1;
    expect(await refusal(cleo, other.toString('base64url'))).toEqual(expired);
  });

  test('from another table, or from before the stage’s events were turned off and on, has expired', async () => {
    const { cleo } = createTrio();
    const cursor = await getLiveCursor(cleo);
    for (const variable of ['TABLE_NAME', 'FEEDS']) {
      const before = process.env[variable];
      process.env[variable] = 'another';
      const outcome = await refusal(cleo, cursor);
      process.env[variable] = before;
      expect([variable, outcome]).toEqual([variable, expired]);
    }
    expect((await listEventsAfter(cleo, cursor)).events).toEqual([]);
  });

  test('at a nonexistent sequence number, for example after a table restore, has expired', async () => {
    const { cleo } = createTrio();
    const bytes = Buffer.from(await getLiveCursor(cleo), 'base64url');
    const ahead = Buffer.concat([bytes.subarray(0, -2), Buffer.from([9, 2])]);
    expect(await refusal(cleo, ahead.toString('base64url'))).toEqual(expired);
  });

  test('expires when the caller joins a token group, and remains valid when the caller leaves it', async () => {
    const { cleo, xavier, team } = createTrio();
    const [member, later] = [
      { ...cleo, groups: [team] },
      { ...xavier, groups: [team] },
    ];
    const outside = await getLiveCursor(xavier);
    expect(await refusal(later, outside)).toEqual(expired);
    const inside = await getLiveCursor(later);
    const { id } = await create(member, { group_id: team });
    await sendAll(member, id, 2);
    expect((await listEventsAfter(later, inside)).events).toHaveLength(3);
    expect((await listEventsAfter(xavier, inside)).events).toEqual([]);
  });

  test('returns no events of a group that the caller has left, and no changes to the caller’s own settings in it', async () => {
    const { cleo, xavier, team } = createTrio();
    const [member, later] = [
      { ...cleo, groups: [team] },
      { ...xavier, groups: [team] },
    ];
    const { id } = await create(member, { group_id: team });
    await sendAll(member, id, 1);
    const start = await getLiveCursor(later);
    await list(later, id);
    await changeConversation(later, id, { is_muted: true });
    await publishAll();
    expect((await listEventsAfter(later, start)).events.length).toBeGreaterThan(1);
    expect((await listEventsAfter(xavier, start)).events).toEqual([]);
    await removeConversation(member, id);
    await publishAll();
    expect((await listEventsAfter(xavier, start)).events).toEqual([]);
    expect((await listEventsAfter(later, start)).events.at(-1)?.type).toBe('conversation.deleted');
  });

  test('is valid after 29 days, but after 32 days only if it is at the end of the feed', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await create(cleo, { contact_id: xavier.id });
    await sendAll(cleo, id, 40);
    const end = await getLiveCursor(xavier);
    const beginning = await firstCursor(xavier);
    const now = clock.now();
    jest.spyOn(clock, 'now').mockReturnValue(now + 29 * day);
    expect((await listEventsAfter(xavier, beginning)).events).toHaveLength(40);
    jest.spyOn(clock, 'now').mockReturnValue(now + 32 * day);
    expect(await refusal(xavier, beginning)).toEqual(expired);
    // Without a cursor, the feed starts at its oldest retained entry. The newest chunk's entries
    // remain until feed maintenance removes them.
    const retained = (await listEventsAfter(xavier)).events;
    expect(retained.at(-1)?.place).toBe(41);
    expect(retained.length).toBeLessThan(20);
    expect((await listEventsAfter(xavier, end)).events).toEqual([]);
  });

  test('from an earlier feed epoch expires within a minute', async () => {
    const { cleo } = createTrio();
    const now = clock.now() + 100 * day;
    jest.spyOn(clock, 'now').mockReturnValue(now);
    const cursor = await getLiveCursor(cleo);
    await update(nextEpochUpdate);
    jest.spyOn(clock, 'now').mockReturnValue(now + 60_000);
    expect(await refusal(cleo, cursor)).toEqual(expired);
    expect((await listEventsAfter(cleo, await getLiveCursor(cleo))).events).toEqual([]);
  });
});

async function firstCursor(as: Caller): Promise<string> {
  const { headers } = await request(listEvents, { as, query: { limit: '1' } });
  return getLinkQuery(headers.Link, 'next')?.starting_after ?? '';
}
