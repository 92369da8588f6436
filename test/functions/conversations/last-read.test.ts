import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import { retrieveConversation, updateConversation } from '../../../shared/contract/operations.ts';
import { parseMessageId, toMessageId } from '../../../shared/ids.ts';
import { usage } from '../../../shared/log/usage.ts';
import {
  changeConversation,
  create,
  getConversation,
  list,
  send,
} from '../../support/handlers/api-calls.ts';
import type { Call } from '../../support/handlers/gateway-event.ts';
import { ok, refused, request } from '../../support/handlers/invoke-handler.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { person } from '../../support/people/callers.ts';
import { seedMessages } from '../../support/seeds/seed-messages.ts';
import { beforeFirstCall, isTransaction, isUpdate } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

let people = 0;
/** Creates a conversation in which Dora has sent Zoe the given messages. */
async function written(...texts: string[]) {
  people += 1;
  const [dora, zoe] = [person(`dora-r${people}`), person(`zoe-r${people}`)];
  const { id } = await create(dora, { contact_id: zoe.id });
  const sent: string[] = [];
  for (const text of texts) sent.push((await send(dora, id, text)).id);
  return { dora, zoe, id, sent };
}

const unread = async (as: Caller, conversation_id: string) => {
  const query = { 'expand[]': 'unread_count' };
  return (await ok(retrieveConversation, { as, path: { conversation_id }, query })).unread_count;
};

/** Returns whether each message is marked as read, starting with the oldest message. */
async function marks(as: Caller, id: string) {
  const { data } = await list(as, id, { peek: 'true', limit: '100' });
  return data.map(({ read_at }) => read_at !== null).reverse();
}

const put = (as: Caller, conversation_id: string, call: Omit<Call, 'as' | 'path'>) => ({
  as,
  path: { conversation_id },
  ...call,
});

describe('Setting the last read message', () => {
  test('marks all messages up to that message as read, and the conversation as opened', async () => {
    const { dora, zoe, id, sent } = await written('1', '2', '3');
    const shown = await changeConversation(zoe, id, { last_read_message_id: sent[1] });
    expect(shown.last_opened_at).toEqual(expect.any(Number));
    expect(shown).toEqual(await getConversation(zoe, id));
    expect(await unread(zoe, id)).toBe(1);
    expect(await marks(dora, id)).toEqual([true, true, false]);
    await changeConversation(zoe, id, { last_read_message_id: sent[2] });
    expect(await unread(zoe, id)).toBe(0);
    expect(await marks(dora, id)).toEqual([true, true, true]);
  });

  test.each([
    ['lists all messages', (zoe: Caller, id: string) => list(zoe, id)],
    [
      'sets a later last read message',
      (zoe: Caller, id: string, last: string) =>
        changeConversation(zoe, id, { last_read_message_id: last }),
    ],
    [
      'mutes the conversation',
      (zoe: Caller, id: string) => changeConversation(zoe, id, { is_muted: true }),
    ],
  ])(
    'takes effect, as does a concurrent request in which another device %s',
    async (title, act) => {
      const { zoe, id, sent } = await written('1', '2', '3');
      beforeFirstCall(isUpdate(), async () => {
        await act(zoe, id, sent[2] ?? '');
      });
      const shown = await changeConversation(zoe, id, { last_read_message_id: sent[1] });
      const isMute = title === 'mutes the conversation';
      expect(await unread(zoe, id)).toBe(isMute ? 1 : 0);
      expect((await getConversation(zoe, id)).is_muted).toBe(isMute);
      expect(shown.last_opened_at).not.toBeNull();
    },
  );

  test('marks at most the newest 100 messages as read', async () => {
    const { dora, zoe, id } = await written();
    const start = clock.now() - 120_000;
    const idOf = (sequence: number) =>
      toMessageId({ conversationId: id, sequence, sentAt: start + sequence });
    await seedMessages(id, dora.id, 105, (n) => start + n, 'text', { isRead: false });
    const { data } = await list(dora, id, { limit: '1', peek: 'true' });
    expect(idOf(105).slice(0, 34)).toBe(data[0]?.id.slice(0, 34));
    await changeConversation(zoe, id, { last_read_message_id: data[0]?.id });
    expect(await unread(zoe, id)).toBe(0);
    const all = [...(await marks(dora, id))];
    expect(all.filter(Boolean)).toHaveLength(100);
    const oldest = await list(dora, id, { starting_after: idOf(6), peek: 'true' });
    expect(oldest.data.map(({ read_at }) => read_at)).toEqual(Array(5).fill(null));
  });

  test('costs one write unit per message, regardless of its size, and one write unit for the read position', async () => {
    const { zoe, id } = await written();
    await seedMessages(id, 'someone', 20, () => clock.now() - 120_000, 'x'.repeat(240_000), {
      isRead: false,
    });
    const [newest] = (await list(zoe, id, { limit: '1', peek: 'true' })).data;
    await changeConversation(zoe, id, { last_read_message_id: newest?.id });
    expect(usage.write_units).toBe(20 + 1);
    expect(await unread(zoe, id)).toBe(0);
  });

  test('can be combined with other changes in one request', async () => {
    const { dora, zoe, id, sent } = await written('1', '2');
    const body = {
      last_read_message_id: sent[0],
      pinned_message_id: sent[1],
      is_muted: true,
      archived_at: 5,
    };
    const shown = await changeConversation(zoe, id, body);
    expect(shown).toMatchObject({
      pinned_message_id: sent[1],
      is_muted: true,
      archived_at: 5,
      last_opened_at: expect.any(Number),
    });
    expect(shown).not.toHaveProperty('last_read_message_id');
    expect(await getConversation(zoe, id)).toEqual(shown);
    expect([await unread(zoe, id), await marks(dora, id)]).toEqual([1, [true, false]]);
  });

  test('writes nothing if it is repeated within a minute', async () => {
    const { zoe, id, sent } = await written('1');
    const { pass } = createVirtualClock();
    const setLastRead = () => changeConversation(zoe, id, { last_read_message_id: sent[0] });
    await setLastRead();
    const first = usage.write_units;
    const { last_opened_at } = await setLastRead();
    expect([first, usage.write_units]).toEqual([2, 0]);
    pass(61_000);
    expect((await setLastRead()).last_opened_at).toBe(Number(last_opened_at) + 61);
  });

  test('with If-Match succeeds if the ETag is current, and otherwise returns 412 without changes', async () => {
    const { dora, zoe, id, sent } = await written('1', '2');
    const call = { as: zoe, path: { conversation_id: id } };
    const { ETag = '' } = (await request(retrieveConversation, call)).headers;
    const setLastRead = (tag: string) =>
      request(updateConversation, {
        ...call,
        body: { last_read_message_id: sent[1] },
        headers: { 'If-Match': tag },
      });
    await changeConversation(zoe, id, { is_pinned: true });
    expect((await setLastRead(ETag)).status).toBe(412);
    expect([await unread(zoe, id), await marks(dora, id)]).toEqual([2, [false, false]]);
    const now = (await request(retrieveConversation, call)).headers.ETag ?? '';
    const reply = await setLastRead(now);
    expect(reply.status).toBe(200);
    expect(reply.headers.ETag).not.toBe(now);
    expect(await unread(zoe, id)).toBe(0);
    expect((await setLastRead(now)).status).toBe(412);
  });

  test('with If-Match returns 412 if a message arrives between the read and the write', async () => {
    const { dora, zoe, id, sent } = await written('1');
    const call = { as: zoe, path: { conversation_id: id } };
    const { ETag = '' } = (await request(retrieveConversation, call)).headers;
    beforeFirstCall(isTransaction, async () => {
      await send(dora, id, '2');
    });
    const body = { last_read_message_id: sent[0] };
    const headers = { 'If-Match': ETag };
    expect((await request(updateConversation, { ...call, body, headers })).status).toBe(412);
    expect([await unread(zoe, id), await marks(dora, id)]).toEqual([2, [false, false]]);
  });
});

describe('Setting the last read message is rejected', () => {
  const rule = "'last_read_message_id' must be the id of a message of this conversation.";
  const refusal = {
    status: 400,
    type: 'invalid_request',
    code: 'parameter_invalid',
    param: 'last_read_message_id',
  };

  test('and changes nothing if no message of the conversation has the id', async () => {
    const { dora, zoe, id, sent } = await written('1', '2');
    const other = await written('elsewhere');
    const position = { ...parseMessageId(sent[1] ?? ''), conversationId: id, sentAt: 1 };
    const wrong = [
      other.sent[0],
      id,
      'x',
      sent[0]?.toLowerCase(),
      `${sent[0]}~1`,
      toMessageId({ ...position, sequence: 0 }),
      toMessageId({ ...position, sequence: 3 }),
    ];
    const before = await getConversation(zoe, id);
    for (const last_read_message_id of wrong) {
      const body = { last_read_message_id, is_muted: true, pinned_message_id: sent[0] };
      expect(await refused(updateConversation, put(zoe, id, { body }))).toEqual({
        ...refusal,
        message: rule,
      });
    }
    expect(await getConversation(zoe, id)).toEqual(before);
    expect([await unread(zoe, id), await marks(dora, id)]).toEqual([2, [false, false]]);
  });

  test.each([[null], [5], [''], [['a']], [{}], [true]])(
    'if the id is empty or not a string: %j',
    async (value) => {
      const { zoe, id } = await written('1');
      const body = { last_read_message_id: value, is_muted: true };
      expect(await refused(updateConversation, put(zoe, id, { body }))).toMatchObject(refusal);
      expect(await getConversation(zoe, id)).toMatchObject({
        is_muted: false,
        last_opened_at: null,
      });
    },
  );

  test('if another field of the request is invalid', async () => {
    const { dora, zoe, id, sent } = await written('1');
    const body = { last_read_message_id: sent[0], pinned_message_id: 'x' };
    expect(await refused(updateConversation, put(zoe, id, { body }))).toMatchObject({
      status: 400,
      param: 'pinned_message_id',
    });
    expect([await unread(zoe, id), await marks(dora, id)]).toEqual([1, [false]]);
  });
});
