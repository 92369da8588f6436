import { describe, expect, test } from '@jest/globals';
import { retrieveConversation, updateConversation } from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import {
  changeConversation,
  create,
  getConversation,
  getConversations,
  list,
  removeConversation,
  removeMessage,
  send,
} from '../../support/handlers/api-calls.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { toMissingId } from '../../support/handlers/missing-id.ts';
import { ann, bob } from '../../support/people/callers.ts';
import { beforeFirstCall, interceptCalls, isTransaction } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

const refusal = (status: number, code: string, param: string | null, message: string) => ({
  status,
  type: 'invalid_request',
  code,
  param,
  message,
});
const notFound = refusal(
  404,
  'not_found',
  'conversation_id',
  "No resource that you can access has the id in 'conversation_id'.",
);
const foreignMessage = refusal(
  400,
  'parameter_invalid',
  'pinned_message_id',
  "'pinned_message_id' must be the id of a message of this conversation.",
);

const createDirect = () => create(ann, { contact_id: 'bob' });
const callOf = (as: typeof ann, conversation_id: string, body: unknown) => ({
  as,
  path: { conversation_id },
  body,
});

describe('Updating a conversation', () => {
  test('sets the caller’s pin, mute and archive flags, and does not change the other participant’s view', async () => {
    const before = await createDirect();
    const flags = { is_pinned: true, is_muted: true, archived_at: 1_700_000_000 };
    expect(await changeConversation(ann, before.id, flags)).toEqual({ ...before, ...flags });
    expect(await getConversation(ann, before.id)).toEqual({ ...before, ...flags });
    expect(await getConversation(bob, before.id)).toEqual({ ...before, contact_id: 'ann' });
  });

  test('changes only the fields in the body, and unarchives the conversation if archived_at is null', async () => {
    const { id } = await createDirect();
    await send(bob, id, 'Hello');
    await list(ann, id);
    const opened = await getConversation(ann, id);
    const archived = await changeConversation(ann, id, { is_muted: true, archived_at: 0 });
    expect(archived).toEqual({ ...opened, is_muted: true, archived_at: 0 });
    expect(await changeConversation(ann, id, { archived_at: null })).toEqual({
      ...opened,
      is_muted: true,
    });
    expect(await changeConversation(ann, id, { is_muted: false })).toEqual(opened);
  });

  test('sets, replaces and removes the pinned message for every participant', async () => {
    const { id } = await createDirect();
    const [first, second] = [await send(ann, id, 'first'), await send(bob, id, 'second')];
    for (const [as, pinned] of [
      [bob, first.id],
      [ann, second.id],
      [bob, first.id],
      [bob, null],
      [ann, first.id],
    ] as const) {
      const changed = await changeConversation(as, id, { pinned_message_id: pinned });
      expect(changed.pinned_message_id).toBe(pinned);
      expect((await getConversation(ann, id)).pinned_message_id).toBe(pinned);
      expect((await getConversation(bob, id)).pinned_message_id).toBe(pinned);
    }
  });

  test('accepts an earlier response as the body, and writes nothing', async () => {
    const { id } = await createDirect();
    const message = await send(ann, id, 'Hello');
    for (const flags of [{}, { is_pinned: true, archived_at: 7, pinned_message_id: message.id }]) {
      const before = await changeConversation(ann, id, flags);
      let writes = 0;
      const undo = interceptCalls(async ({ operation }, proceed) => {
        if (!operation.startsWith('BatchGet')) writes += 1;
        await proceed();
      });
      expect(await changeConversation(ann, id, before)).toEqual(before);
      undo();
      expect(writes).toBe(0);
    }
    expect(
      await changeConversation(ann, id, { id: 'x', created_at: 1, last_opened_at: 1 }),
    ).toEqual(await getConversation(ann, id));
  });

  test('accepts a form instead of JSON, and treats an empty field as null', async () => {
    const { id } = await createDirect();
    const { id: pinned_message_id } = await send(ann, id, 'Hello');
    const form = (fields: Record<string, string>) =>
      request(updateConversation, {
        ...callOf(ann, id, new URLSearchParams(fields).toString()),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      });
    const set = await form({
      is_pinned: 'true',
      is_muted: 'true',
      archived_at: '5',
      pinned_message_id,
    });
    expect(set.body).toMatchObject({
      is_pinned: true,
      is_muted: true,
      archived_at: 5,
      pinned_message_id,
    });
    const cleared = await form({ is_muted: 'false', archived_at: '', pinned_message_id: '' });
    expect(cleared.body).toMatchObject({
      is_pinned: true,
      is_muted: false,
      archived_at: null,
      pinned_message_id: null,
    });
  });

  test.each<[string, object, string, string]>([
    ['a string as is_pinned', { is_pinned: 'yes' }, 'is_pinned', 'must be true or false'],
    ['null as is_pinned', { is_pinned: null }, 'is_pinned', 'must be true or false'],
    ['a number as is_muted', { is_muted: 1 }, 'is_muted', 'must be true or false'],
    ...[1.5, -1, '5', true, 253_402_300_800].map(
      (archived_at): [string, object, string, string] => [
        `${JSON.stringify(archived_at)} as archived_at`,
        { archived_at },
        'archived_at',
        'must be a time in whole seconds since 1970',
      ],
    ),
    [
      'a number as pinned_message_id',
      { pinned_message_id: 5 },
      'pinned_message_id',
      'must be an id',
    ],
    ['an empty pinned_message_id', { pinned_message_id: '' }, 'pinned_message_id', 'must be an id'],
  ])('with %s is rejected', async (_, body, param, rule) => {
    const { id } = await createDirect();
    expect(await refused(updateConversation, callOf(ann, id, body))).toEqual(
      refusal(400, 'parameter_invalid', param, `'${param}' ${rule}.`),
    );
  });
});

describe('Pinning a message', () => {
  test('that is deleted, nonexistent or from another conversation is rejected, and changes nothing', async () => {
    const { id } = await createDirect();
    const [own, deleted] = [await send(ann, id, 'own'), await send(ann, id, 'gone')];
    const other = await send(ann, (await createDirect()).id, 'elsewhere');
    await removeMessage(ann, deleted.id);
    await changeConversation(ann, id, { pinned_message_id: own.id });
    const before = await getConversation(ann, id);
    const missing = toMissingId(own.id);
    const future = own.id.replace(/^(.{26}).{8}/, '$100000009');
    for (const pinned_message_id of [other.id, deleted.id, missing, future, 'garbage', id]) {
      const body = { pinned_message_id, is_muted: true, archived_at: 5 };
      expect(await refused(updateConversation, callOf(ann, id, body))).toEqual(foreignMessage);
    }
    expect(await getConversation(ann, id)).toEqual(before);
    const { data } = await getConversations(ann, { muted: 'true' });
    expect(data.map((one) => one.id)).not.toContain(id);
  });

  test('is undone when the pinned message is deleted', async () => {
    const { id } = await createDirect();
    const [first, second] = [await send(ann, id, 'first'), await send(ann, id, 'second')];
    await changeConversation(ann, id, { pinned_message_id: first.id });
    await changeConversation(bob, id, { pinned_message_id: second.id });
    await removeMessage(ann, first.id);
    expect((await getConversation(ann, id)).pinned_message_id).toBe(second.id);
    await removeMessage(ann, second.id);
    expect((await getConversation(ann, id)).pinned_message_id).toBeNull();
  });

  test('during its deletion never leaves a pin on a deleted message', async () => {
    for (let n = 0; n < 15; n++) {
      const { id } = await createDirect();
      const { id: message } = await send(ann, id, 'Hello');
      const [pinning] = await Promise.all([
        request(updateConversation, callOf(bob, id, { pinned_message_id: message })),
        removeMessage(ann, message),
      ]);
      expect([200, 400]).toContain(pinning.status);
      expect((await getConversation(ann, id)).pinned_message_id).toBeNull();
    }
  });

  test('concurrently with other pins leaves one message pinned until it is deleted', async () => {
    const { id } = await createDirect();
    const messages = [await send(ann, id, '1'), await send(ann, id, '2'), await send(bob, id, '3')];
    await Promise.all(
      messages.map((one, n) =>
        changeConversation(n % 2 ? ann : bob, id, { pinned_message_id: one.id }),
      ),
    );
    const { pinned_message_id } = await getConversation(ann, id);
    expect(messages.map((one) => one.id)).toContain(pinned_message_id);
    for (const one of messages) await removeMessage(one.contact.id === 'ann' ? ann : bob, one.id);
    expect((await getConversation(ann, id)).pinned_message_id).toBeNull();
  });

  test('returns 404 if the conversation is deleted concurrently', async () => {
    const { id } = await createDirect();
    const { id: message } = await send(ann, id, 'Hello');
    beforeFirstCall(isTransaction, async () => {
      await removeConversation(ann, id);
    });
    const body = { pinned_message_id: message, is_muted: true };
    expect(await refused(updateConversation, callOf(bob, id, body))).toEqual(notFound);
  });
});

describe('Devices of one contact', () => {
  test('that set different flags concurrently all succeed', async () => {
    for (let n = 0; n < 5; n++) {
      const { id } = await createDirect();
      const { id: pinned_message_id } = await send(ann, id, 'Hello');
      const changes = [
        { is_pinned: true },
        { is_muted: true },
        { archived_at: 5 },
        { pinned_message_id },
      ];
      await Promise.all(changes.map((change) => changeConversation(ann, id, change)));
      expect(await getConversation(ann, id)).toMatchObject(Object.assign({}, ...changes));
      const all = { muted: 'true', archived: 'true', pinned: 'true' };
      expect((await getConversations(ann, all)).data.map((one) => one.id)).toContain(id);
    }
  });

  test('that send the same If-Match concurrently get one 200 and one 412', async () => {
    const getChanges = (message: string) => [
      [{ is_pinned: true }, { is_muted: true }],
      [{ is_pinned: true }, { pinned_message_id: message }],
      [{ archived_at: 5 }, { archived_at: 6 }],
    ];
    for (let n = 0; n < 3; n++) {
      const { id } = await createDirect();
      const { id: message } = await send(ann, id, 'Hello');
      const path = { conversation_id: id };
      const { ETag = '' } = (await request(retrieveConversation, { as: ann, path })).headers;
      const calls = (getChanges(message)[n] ?? []).map((body) => ({
        ...callOf(ann, id, body),
        headers: { 'If-Match': ETag },
      }));
      const replies = await Promise.all(calls.map((call) => request(updateConversation, call)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 412]);
      const winner = replies.find(({ status }) => status === 200);
      expect(await getConversation(ann, id)).toEqual(winner?.body);
    }
  });
});

describe('Updating a conversation with If-Match', () => {
  const withTag = (id: string, ETag: string, body: object) => ({
    ...callOf(ann, id, body),
    headers: { 'If-Match': ETag },
  });
  const tagOf = async (id: string) => {
    const call = { as: ann, path: { conversation_id: id } };
    return (await request(retrieveConversation, call)).headers.ETag ?? '';
  };

  test('succeeds with the ETag of the last response, and returns 412 after a change that the client has not read', async () => {
    const { id } = await createDirect();
    const first = await request(
      updateConversation,
      withTag(id, await tagOf(id), { is_muted: true }),
    );
    expect(first.status).toBe(200);
    const { ETag = '' } = first.headers;
    expect(ETag).toBe(await tagOf(id));
    const second = await request(updateConversation, withTag(id, ETag, { is_muted: false }));
    expect(second.status).toBe(200);
    expect(await refused(updateConversation, withTag(id, ETag, { is_muted: true }))).toEqual(
      refusal(
        412,
        'precondition_failed',
        null,
        'The resource has changed since the ETag in `If-Match` was returned. Retrieve the resource again and apply the change to its current state.',
      ),
    );
    await send(bob, id, 'news');
    const { ETag: seen = '' } = second.headers;
    expect(await refused(updateConversation, withTag(id, seen, { is_muted: true }))).toMatchObject({
      status: 412,
    });
  });

  test.each([
    ['another participant writes', (id: string) => send(bob, id, 'news')],
    ['another device of the caller lists messages', (id: string) => list(ann, id)],
  ])(
    'returns 412 if the conversation changes between the read and the write: %s',
    async (_, change) => {
      const { id } = await createDirect();
      const ETag = await tagOf(id);
      beforeFirstCall(isTransaction, async () => {
        await change(id);
      });
      expect(
        await refused(updateConversation, withTag(id, ETag, { is_muted: true })),
      ).toMatchObject({
        status: 412,
      });
      expect((await getConversation(ann, id)).is_muted).toBe(false);
    },
  );

  test('returns 412 for a pin if another device of the caller opens the conversation between the read and the write', async () => {
    const { id } = await createDirect();
    const { id: message } = await send(ann, id, 'Hello');
    beforeFirstCall(isTransaction, async () => {
      await list(ann, id);
    });
    const call = withTag(id, await tagOf(id), { pinned_message_id: message });
    expect(await refused(updateConversation, call)).toMatchObject({ status: 412 });
    expect((await getConversation(ann, id)).pinned_message_id).toBeNull();
  });

  test('costs one read unit if the body changes nothing', async () => {
    const { id } = await createDirect();
    const { status } = await request(updateConversation, withTag(id, '*', { is_muted: false }));
    expect({ status, ...usage }).toEqual({
      status: 200,
      table_calls: 1,
      read_units: 1,
      write_units: 0,
    });
  });

  test('returns 503 and changes nothing after ten attempts that conflict with other writes', async () => {
    const { id } = await createDirect();
    let attempt = 0;
    interceptCalls(async ({ operation }, proceed) => {
      if (operation === 'TransactWriteItems') {
        attempt += 1;
        await send(bob, id, 'news');
      }
      await proceed();
    });
    expect(await refused(updateConversation, withTag(id, '*', { is_muted: true }))).toMatchObject({
      status: 503,
      code: 'unavailable',
    });
    expect(attempt).toBe(10);
    expect((await getConversation(ann, id)).is_muted).toBe(false);
  });
});
