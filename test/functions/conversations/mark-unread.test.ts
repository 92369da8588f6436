import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { retrieveConversation, updateConversation } from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import {
  changeConversation,
  create,
  getConversation,
  list,
  removeMessage,
  send,
} from '../../support/handlers/api-calls.ts';
import { invalidError } from '../../support/handlers/expected-errors.ts';
import { ok, refused, request } from '../../support/handlers/invoke-handler.ts';
import { getLiveCursor, listEventsAfter } from '../../support/handlers/list-events.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { person } from '../../support/people/callers.ts';
import { beforeFirstCall, isUpdate } from '../../support/table/call-hooks.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import '../../support/setup/use-table.ts';

let people = 0;
async function readByZoe(...texts: string[]) {
  people += 1;
  const [dora, zoe] = [person(`dora-m${people}`), person(`zoe-m${people}`)];
  const { id } = await create(dora, { contact_id: zoe.id });
  const sent: string[] = [];
  for (const text of texts) sent.push((await send(dora, id, text)).id);
  await list(zoe, id);
  return { dora, zoe, id, sent };
}

const query = { 'expand[]': 'unread_count' };
const unread = async (as: Caller, conversation_id: string) =>
  (await ok(retrieveConversation, { as, path: { conversation_id }, query })).unread_count;

const markUnread = (as: Caller, id: string, mark_unread_from: string | undefined) =>
  changeConversation(as, id, { mark_unread_from });

describe('Marking messages as unread', () => {
  test('moves the caller’s read position to just before the message, and changes nothing else', async () => {
    const { dora, zoe, id, sent } = await readByZoe('1', '2', '3');
    const messages = await list(dora, id, { peek: 'true' });
    const [seenByDora, seenByZoe] = [
      await getConversation(dora, id),
      await getConversation(zoe, id),
    ];
    const call = { as: zoe, path: { conversation_id: id } };
    const before = await request(retrieveConversation, call);
    const reply = await request(updateConversation, {
      ...call,
      query,
      body: { mark_unread_from: sent[1] },
    });
    expect(reply).toMatchObject({ status: 200, body: { ...seenByZoe, unread_count: 2 } });
    expect(reply.body).not.toHaveProperty('mark_unread_from');
    expect(reply.headers.ETag).toBe(before.headers.ETag);
    expect([await unread(zoe, id), await unread(dora, id)]).toEqual([2, 0]);
    expect(await list(dora, id, { peek: 'true' })).toEqual(messages);
    expect(await getConversation(dora, id)).toEqual(seenByDora);
  });

  test('adds only other participants’ messages to the unread count', async () => {
    const { dora, zoe, id, sent } = await readByZoe('1', '2');
    const own = await send(zoe, id, 'own');
    await send(dora, id, '4');
    await list(zoe, id);
    await markUnread(zoe, id, own.id);
    expect(await unread(zoe, id)).toBe(1);
    await markUnread(zoe, id, sent[0]);
    expect(await unread(zoe, id)).toBe(3);
  });

  test('accepts the id of a deleted message', async () => {
    const { dora, zoe, id, sent } = await readByZoe('1', '2', '3');
    await removeMessage(dora, sent[1] ?? '');
    await markUnread(zoe, id, sent[1]);
    expect(await unread(zoe, id)).toBe(1);
  });

  test('writes nothing if the message is already unread, and never moves the read position forward', async () => {
    const { zoe, id, sent } = await readByZoe('1', '2', '3');
    await markUnread(zoe, id, sent[1]);
    expect(usage.write_units).toBe(1);
    for (const repeated of [sent[1], sent[2]]) {
      await markUnread(zoe, id, repeated);
      expect(usage.write_units).toBe(0);
    }
    expect(await unread(zoe, id)).toBe(2);
  });

  test.each([
    ['lists messages', (zoe: Caller, id: string) => list(zoe, id)],
    [
      'sets last_read_message_id',
      (zoe: Caller, id: string, last: string) =>
        changeConversation(zoe, id, { last_read_message_id: last }),
    ],
  ])('is undone when the caller %s', async (_, read) => {
    const { zoe, id, sent } = await readByZoe('1', '2', '3');
    const { pass } = createVirtualClock();
    pass(5000);
    await markUnread(zoe, id, sent[0]);
    const { last_opened_at } = await getConversation(zoe, id);
    await read(zoe, id, sent[2] ?? '');
    expect(await unread(zoe, id)).toBe(0);
    expect((await getConversation(zoe, id)).last_opened_at).toBeGreaterThan(Number(last_opened_at));
  });

  test('can be combined with other changes in one request', async () => {
    const { zoe, id, sent } = await readByZoe('1', '2');
    const body = { mark_unread_from: sent[0], is_muted: true, pinned_message_id: sent[1] };
    expect(await changeConversation(zoe, id, body)).toMatchObject({
      is_muted: true,
      pinned_message_id: sent[1],
    });
    expect(await unread(zoe, id)).toBe(2);
  });

  test('retains the last_opened_at that a concurrent list request sets', async () => {
    const { pass } = createVirtualClock();
    const { zoe, id, sent } = await readByZoe('1', '2');
    const before = await getConversation(zoe, id);
    beforeFirstCall(isUpdate('read_place'), () => {
      pass(61_000);
      return list(zoe, id);
    });
    await markUnread(zoe, id, sent[0]);
    expect((await getConversation(zoe, id)).last_opened_at).toBe(
      Number(before.last_opened_at) + 61,
    );
    expect(await unread(zoe, id)).toBe(2);
  });

  test('publishes an event to the caller’s feed only', async () => {
    const { dora, zoe, id, sent } = await readByZoe('1', '2');
    await publishAll();
    const cursors = await Promise.all([dora, zoe].map((as) => getLiveCursor(as)));
    const { events: before } = await listEventsAfter(zoe, undefined);
    await markUnread(zoe, id, sent[1]);
    await publishAll();
    expect((await listEventsAfter(dora, cursors[0])).events).toEqual([]);
    const { events } = await listEventsAfter(zoe, cursors[1]);
    expect(events).toMatchObject([{ type: 'conversation.updated', payload: { id } }]);
    const versions = before.flatMap((event) => (event.payload?.id === id ? [event.version] : []));
    expect(events[0]?.version).toBeGreaterThan(Math.max(...versions));
  });

  test('is not undone by a concurrent count of unread messages', async () => {
    const { zoe, id, sent } = await readByZoe('1');
    for (let n = 0; n < 120; n++) await send(zoe, id, 'own');
    let isMarked = false;
    beforeFirstCall(isUpdate('read_place'), async () => {
      isMarked = true;
      await markUnread(zoe, id, sent[0]);
    });
    await unread(zoe, id);
    expect([isMarked, await unread(zoe, id)]).toEqual([true, 1]);
  });
});

describe('Marking messages as unread is rejected', () => {
  test('together with last_read_message_id', async () => {
    const { zoe, id, sent } = await readByZoe('1', '2');
    const body = { mark_unread_from: sent[0], last_read_message_id: sent[1], is_muted: true };
    const call = { as: zoe, path: { conversation_id: id }, body };
    expect(await refused(updateConversation, call)).toEqual(
      invalidError('mark_unread_from', 'must not be combined with last_read_message_id'),
    );
    expect(await getConversation(zoe, id)).toMatchObject({ is_muted: false });
  });

  test('and changes nothing if no message of the conversation has the id', async () => {
    const { zoe, id, sent } = await readByZoe('1', '2');
    const other = await readByZoe('elsewhere');
    for (const mark_unread_from of [other.sent[0], id, 'x', sent[0]?.toLowerCase(), null, 5, '']) {
      const body = { mark_unread_from, is_muted: true };
      const call = { as: zoe, path: { conversation_id: id }, body };
      expect(await refused(updateConversation, call)).toMatchObject({
        status: 400,
        code: 'parameter_invalid',
        param: 'mark_unread_from',
      });
    }
    expect(await getConversation(zoe, id)).toMatchObject({ is_muted: false });
    expect(await unread(zoe, id)).toBe(0);
  });
});
