import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Caller } from '../../../shared/caller.ts';
import { clock, toSeconds } from '../../../shared/clock.ts';
import { listReaders } from '../../../shared/contract/operations.ts';
import { ReaderPage } from '../../../shared/contract/resources/reader.ts';
import { usage } from '../../../shared/log/usage.ts';
import { getLinkQuery } from '../../response-invariants/page-rules.ts';
import {
  changeConversation,
  create,
  getConversation,
  list,
  removeConversation,
  removeMessage,
  send,
} from '../../support/handlers/api-calls.ts';
import { ok, refused, request } from '../../support/handlers/invoke-handler.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { eve, person } from '../../support/people/callers.ts';
import { seedReaders } from '../../support/seeds/seed-conversations.ts';
import { takeSample } from '../../support/setup/sample-size.ts';
import { interceptHttp } from '../../support/table/http-hooks.ts';
import '../../support/setup/use-table.ts';

let teams = 0;
async function inTeam(...texts: string[]) {
  teams += 1;
  const inTeam = { groups: [`team-r${teams}`] };
  const [ann, bob, carl] = [person('ann', inTeam), person('bob', inTeam), person('carl', inTeam)];
  const { id } = await create(ann, { group_id: `team-r${teams}` });
  const sent: string[] = [];
  for (const text of texts) sent.push((await send(ann, id, text)).id);
  return { ann, bob, carl, id, sent };
}

const readers = async (as: Caller, conversation_id: string, query: Record<string, string> = {}) =>
  (await ok(listReaders, { as, path: { conversation_id }, query })).data;

describe('Listing the readers of a conversation', () => {
  test('returns the members who have opened it, most recent opening first, with their read positions', async () => {
    const { ann, bob, carl, id, sent } = await inTeam('1', '2', '3');
    const { pass } = createVirtualClock();
    expect(await readers(ann, id)).toEqual([]);
    await list(bob, id);
    pass(5000);
    await changeConversation(carl, id, { last_read_message_id: sent[0] });
    // A settings change does not count as opening the conversation.
    await changeConversation(ann, id, { is_muted: true });
    const [openedByBob, openedByCarl] = await Promise.all(
      [bob, carl].map(async (as) => (await getConversation(as, id)).last_opened_at),
    );
    const expected = [
      { contact_id: 'carl', last_read_message_id: sent[0], last_opened_at: openedByCarl },
      { contact_id: 'bob', last_read_message_id: sent[2], last_opened_at: openedByBob },
    ];
    for (const as of [ann, bob, carl]) expect(await readers(as, id)).toEqual(expected);
    expect(usage.write_units).toBe(0);
  });

  test('if the last read message was deleted, returns the newest read message that still exists', async () => {
    const { ann, bob, carl, id, sent } = await inTeam('1', '2', '3', '4');
    await list(bob, id);
    await changeConversation(carl, id, { last_read_message_id: sent[2] });
    for (const deleted of sent.slice(1)) await removeMessage(ann, deleted);
    expect(await readers(ann, id)).toMatchObject([
      { contact_id: 'carl', last_read_message_id: sent[0] },
      { contact_id: 'bob', last_read_message_id: sent[0] },
    ]);
    await removeMessage(ann, sent[0] ?? '');
    const nothingRead = { last_read_message_id: null };
    expect(await readers(ann, id)).toMatchObject([nothingRead, nothingRead]);
  });

  test('returns a null read position for a reader who opened the conversation while it was empty', async () => {
    const { ann, bob, id } = await inTeam();
    await list(bob, id);
    await send(ann, id, 'later');
    expect(await readers(ann, id)).toMatchObject([
      { contact_id: 'bob', last_read_message_id: null },
    ]);
  });

  test('returns an unchanged read position after the reader marks messages as unread', async () => {
    const { ann, bob, id, sent } = await inTeam('1', '2', '3');
    await list(bob, id);
    const before = await readers(ann, id);
    for (const mark_unread_from of [sent[1], sent[0]]) {
      await changeConversation(bob, id, { mark_unread_from });
      expect(await readers(ann, id)).toEqual(before);
    }
    const { id: newest } = await send(ann, id, '4');
    await list(bob, id);
    expect(await readers(ann, id)).toMatchObject([{ last_read_message_id: newest }]);
  });

  test('includes readers who have left the group', async () => {
    const { ann, bob, id } = await inTeam('1');
    await list(bob, id);
    expect(await readers({ ...ann }, id)).toMatchObject([{ contact_id: 'bob' }]);
    const path = { conversation_id: id };
    expect(await refused(listReaders, { as: person('bob'), path })).toMatchObject({ status: 404 });
  });

  test.each([1, 2, 3, 10])('returns pages of %d readers in both directions', async (limit) => {
    const { ann, id } = await inTeam('1', '2', '3');
    const now = clock.now();
    // Some readers opened the conversation at the same time.
    await seedReaders(id, 7, (n) => now - 60_000 - Math.floor(n / 2));
    const whole = await readers(ann, id, { limit: '100' });
    expect(whole.map((one) => one.contact_id.slice(-1)).join('')).toBe('0123456');
    const walk = async (relation: 'next' | 'prev', start: object) => {
      const pages: string[][] = [];
      let query: Record<string, string> | undefined = { limit: String(limit), ...start };
      while (query) {
        const reply = await request(listReaders, { as: ann, path: { conversation_id: id }, query });
        expect(reply.status).toBe(200);
        const page = v.parse(ReaderPage, reply.body);
        pages.push(page.data.map((one) => one.contact_id));
        query = page.has_more ? getLinkQuery(reply.headers.Link, relation) : undefined;
      }
      return pages;
    };
    const ids = whole.map((one) => one.contact_id);
    const forwards = await walk('next', {});
    expect(forwards.flat()).toEqual(ids);
    expect(forwards.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
    const backwards = await walk('prev', { ending_before: 'reader-000006' });
    expect(backwards.reverse().flat()).toEqual(ids.slice(0, -1));
    const after = { starting_after: 'reader-000002', limit: String(limit) };
    const data = await readers(ann, id, after);
    expect(data.map((one) => one.contact_id)).toEqual(ids.slice(3, 3 + limit));
  });

  test('continues at the same position after the reader at the cursor has opened the conversation again', async () => {
    const { ann, bob, carl, id } = await inTeam('1');
    const { pass } = createVirtualClock();
    for (const as of [ann, bob, carl]) {
      await list(as, id);
      pass(61_000);
    }
    const call = { as: ann, path: { conversation_id: id } };
    const { headers } = await request(listReaders, { ...call, query: { limit: '2' } });
    await list(bob, id);
    const query = getLinkQuery(headers.Link, 'next') ?? {};
    expect(query.starting_after).toMatch(/^bob~\d+$/);
    expect(await readers(ann, id, query)).toMatchObject([{ contact_id: 'ann' }]);
  });

  test('rejects a cursor that is not a reader’s id', async () => {
    const { ann, bob, id } = await inTeam('1');
    await list(bob, id);
    for (const starting_after of ['stranger', 'stranger~x', '~1e3']) {
      const call = { as: ann, path: { conversation_id: id }, query: { starting_after } };
      const expected = { status: 400, code: 'parameter_invalid', param: 'starting_after' };
      expect(await refused(listReaders, call)).toMatchObject(expected);
    }
  });

  test('returns 404 to a non-member, as for an unknown or deleted conversation', async () => {
    const { ann, bob, id } = await inTeam('1');
    await list(bob, id);
    const named = (as: Caller, conversation_id: string) =>
      refused(listReaders, { as, path: { conversation_id } });
    const unknown = await named(eve, '0'.repeat(26));
    expect(unknown).toMatchObject({ status: 404, param: 'conversation_id' });
    expect(await named(eve, id)).toEqual(unknown);
    // The operation reads only the conversation and a membership, not the readers' settings.
    expect(usage.table_calls).toBe(2);
    expect(await named(eve, 'garbage')).toEqual(unknown);
    await removeConversation(ann, id);
    expect(await named(ann, id)).toEqual(unknown);
  });
});

describe('The cost of a page of readers', () => {
  test.each(
    takeSample(
      [
        { count: 1000, calls: 5, units: 17 },
        { count: 10_000, calls: 6, units: 137.5 },
      ],
      2,
    ),
  )('among $count readers is $calls calls and $units read units', async (limits) => {
    const { ann, id } = await inTeam('1', '2', '3');
    const start = clock.now() - 3_600_000;
    await seedReaders(id, limits.count, (n) => start + n);
    const data = await readers(ann, id, { limit: '100' });
    expect([usage.table_calls, usage.read_units, usage.write_units]).toEqual([
      limits.calls,
      limits.units,
      0,
    ]);
    expect(data[0]).toMatchObject({ last_opened_at: toSeconds(start + limits.count - 1) });
    expect(data).toHaveLength(100);
  });

  test('grows by two calls for each deleted message that was the last message read by a reader', async () => {
    const { ann, bob, carl, id, sent } = await inTeam('1', '2', '3', '4', '5');
    await changeConversation(bob, id, { last_read_message_id: sent[1] });
    await changeConversation(carl, id, { last_read_message_id: sent[3] });
    await list(ann, id);
    for (const deleted of [sent[1], sent[3]]) await removeMessage(ann, deleted ?? '');
    const data = await readers(ann, id);
    expect([usage.table_calls, usage.write_units]).toEqual([4 + 2 * 2, 0]);
    const read = new Map(data.map((one) => [one.contact_id, one.last_read_message_id]));
    expect(read.get('bob')).toBe(sent[0]);
    expect(read.get('carl')).toBe(sent[2]);
    expect(read.get('ann')).toBe(sent[4]);
  });

  test('is limited to 25 queries; a list that needs more is rejected', async () => {
    const { ann, id } = await inTeam('1');
    let calls = 0;
    const wire = interceptHttp(async ({ operation }, proceed) => {
      if (operation !== 'Query') return proceed();
      calls += 1;
      const LastEvaluatedKey = { pk: { S: 'a' }, sk: { S: 'b' } };
      return { status: 200, body: JSON.stringify({ Items: [], LastEvaluatedKey }) };
    });
    const call = { as: ann, path: { conversation_id: id } };
    expect(await refused(listReaders, call)).toMatchObject({
      status: 400,
      code: 'too_many_readers',
      param: null,
    });
    await wire.remove();
    expect(calls).toBe(25);
  });
});
