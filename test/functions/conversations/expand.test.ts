import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Caller } from '../../../shared/caller.ts';
import { clock } from '../../../shared/clock.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import {
  createConversation,
  listConversations,
  retrieveConversation,
  updateConversation,
} from '../../../shared/contract/operations.ts';
import { Conversation } from '../../../shared/contract/resources/conversation.ts';
import { expansionNames } from '../../../shared/contract/resources/expand.ts';
import { usage } from '../../../shared/log/usage.ts';
import { update } from '../../../shared/table/calls/access.ts';
import { conversationKey } from '../../../shared/table/keys/keys.ts';
import { fillGap } from '../../../shared/table/messages/log/resolve-gaps.ts';
import {
  changeConversation,
  create,
  edit,
  getConversation,
  getConversations,
  getMessage,
  list,
  removeConversation,
  removeMessage,
  send,
} from '../../support/handlers/api-calls.ts';
import { invalidError } from '../../support/handlers/expected-errors.ts';
import type { Call } from '../../support/handlers/gateway-event.ts';
import { ok, refused, request } from '../../support/handlers/invoke-handler.ts';
import { toFormFields } from '../../support/handlers/to-form-fields.ts';
import { ann, eve, person } from '../../support/people/callers.ts';
import { seedMessages } from '../../support/seeds/seed-messages.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import { interceptCalls } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

const all = ['contact', 'last_message'];

let people = 0;
async function twoPeople() {
  people += 1;
  const dora = person(`dora-${people}`, { username: 'Dora' });
  const zoe = person(`zoe-${people}`, { username: 'Zoe' });
  const conversation = await create(dora, { contact_id: zoe.id });
  return { dora, zoe, id: conversation.id, conversation };
}

const expanded = (as: Caller, conversation_id: string, expand: string[] = all) =>
  ok(retrieveConversation, { as, path: { conversation_id }, query: { 'expand[]': expand } });

const listed = async (as: Caller, query: Call['query'] = { 'expand[]': all }) =>
  (await ok(listConversations, { as, query })).data;

/** Reserves a sequence number without a message, as a crashed send does. */
const reserveSequence = (id: string) =>
  update({
    Key: conversationKey(id),
    UpdateExpression: 'ADD message_count :one',
    ExpressionAttributeValues: { ':one': 1 },
  });

/** Runs the callback once, before the first batch read that loads the results of an index query. */
function beforeLookingUp(act: () => Promise<void>): void {
  const undo = interceptCalls(async ({ operation }, proceed) => {
    if (operation === 'BatchGetItem') {
      undo();
      await act();
    }
    await proceed();
  });
}

describe('Expanding a conversation', () => {
  test('returns the named contact to the creator, and the creator to the named contact', async () => {
    const { dora, zoe, id } = await twoPeople();
    const stranger = { id: zoe.id, username: null, phone_number: null, avatar_url: null };
    expect((await expanded(dora, id, ['contact'])).contact).toEqual({
      ...stranger,
      last_active_at: null,
      created_at: null,
    });
    expect((await expanded(zoe, id, ['contact'])).contact).toMatchObject({
      id: dora.id,
      username: 'Dora',
      created_at: expect.any(Number),
    });
  });

  test('returns the contact of a group conversation, or null if it has none', async () => {
    const member = person('ann', { groups: ['team'] });
    const { id } = await create(member, { group_id: 'team' });
    expect((await expanded(member, id)).contact).toBeNull();
    const { id: withBob } = await create(member, { group_id: 'team', contact_id: 'bob' });
    expect((await expanded(member, withBob)).contact?.id).toBe('bob');
  });

  test('returns the newest message in its current state, or null if there is none', async () => {
    const { dora, zoe, id } = await twoPeople();
    const last = async (as = dora) => (await expanded(as, id, ['last_message'])).last_message;
    expect(await last()).toBeNull();
    const first = await send(dora, id, 'first');
    expect(await last()).toEqual(first);
    const second = await send(zoe, id, 'second', { attachments: [{ name: 'a' }] });
    expect(await last()).toEqual(second);
    const edited = await edit(zoe, second.id, { message: 'changed' });
    expect(await last(zoe)).toEqual(edited);
    await removeMessage(zoe, second.id);
    expect(await last()).toEqual(first);
    await removeMessage(dora, first.id);
    expect(await last()).toBeNull();
  });

  test('returns the newest message before the gap of a crashed send, and writes nothing', async () => {
    const { dora, zoe, id } = await twoPeople();
    const sent = await send(dora, id, 'there');
    await reserveSequence(id);
    const [shown] = await listed(zoe);
    expect(shown?.last_message).toEqual(sent);
    expect(usage.write_units).toBe(0);
    expect((await list(zoe, id, { peek: 'true', limit: '1' })).data).toEqual([sent]);
    await fillGap(id, 2, 0);
    expect((await expanded(zoe, id)).last_message).toEqual(sent);
  });

  test('returns null as the last message of a conversation that is deleted while it is listed', async () => {
    const { dora, zoe, id } = await twoPeople();
    await send(dora, id, 'secret');
    beforeLookingUp(async () => {
      await removeConversation(dora, id);
    });
    const [shown] = await listed(zoe);
    expect(shown).toMatchObject({ id, last_message: null });
  });

  test('returns the newest message even if it is sent after the list request has read the index', async () => {
    const { dora, zoe, id } = await twoPeople();
    await send(dora, id, 'old');
    beforeLookingUp(async () => {
      await send(dora, id, 'new');
    });
    expect((await listed(zoe))[0]?.last_message?.message).toBe('new');
  });

  test('if 20 newer messages were deleted, returns the newest remaining message with at most three more table calls than listing one message', async () => {
    const { dora, zoe, id } = await twoPeople();
    const sent = await send(dora, id, 'left');
    for (let n = 0; n < 20; n++) await removeMessage(dora, (await send(dora, id, 'gone')).id);
    expect((await expanded(zoe, id)).last_message?.id).toBe(sent.id);
    await expanded(zoe, id, ['last_message']);
    const { table_calls: calls } = usage;
    await list(zoe, id, { limit: '1', peek: 'true' });
    // An expansion also reads the conversation and its last sequence number. The expansion may need
    // a third additional call, because its first query reads one fewer sequence number than a
    // list's query.
    expect(calls).toBeLessThanOrEqual(2 + usage.table_calls + 1);
  });

  test('marks nothing as read or opened, and writes nothing', async () => {
    const { dora, zoe, id } = await twoPeople();
    const { id: message_id } = await send(dora, id, 'unread');
    for (const query of [{}, { muted: 'true' }]) {
      await listed(zoe, { ...query, 'expand[]': all });
      expect(usage.write_units).toBe(0);
    }
    await expanded(zoe, id);
    expect(usage.write_units).toBe(0);
    expect((await getConversation(zoe, id)).last_opened_at).toBeNull();
    expect((await getMessage(dora, message_id)).read_at).toBeNull();
  });
});

describe('Expanded fields', () => {
  test('are the same in the replies to list, retrieve and update requests', async () => {
    const { dora, zoe, id } = await twoPeople();
    await send(dora, id, 'Hello');
    await changeConversation(zoe, id, { is_muted: true });
    const shown = await expanded(zoe, id);
    expect(await listed(zoe)).toEqual([shown]);
    expect(await listed(zoe, { muted: 'true', 'expand[]': all })).toEqual([shown]);
    const call = { as: zoe, path: { conversation_id: id } };
    const query = { 'expand[]': all };
    expect(await ok(updateConversation, { ...call, query, body: {} })).toEqual(shown);
    expect(await ok(updateConversation, { ...call, body: { expand: all } })).toEqual(shown);
  });

  test.each<[string, Pick<Call, 'query' | 'body' | 'headers'>]>([
    ['in the query', { query: { 'expand[]': all } }],
    ['in the query without brackets', { query: { expand: all } }],
    ['in the query with numbers', { query: { 'expand[1]': 'contact', 'expand[0]': all[1] ?? '' } }],
    ['in JSON', { body: { expand: all } }],
    [
      'in the query and in JSON',
      { query: { 'expand[]': 'contact' }, body: { expand: ['last_message'] } },
    ],
    [
      'in a form',
      {
        body: new URLSearchParams(toFormFields({ contact_id: 'bob', expand: all })).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      },
    ],
  ])('are returned for a new conversation, with `expand` %s', async (_, call) => {
    const body =
      typeof call.body === 'string' ? call.body : { contact_id: 'bob', ...Object(call.body) };
    expect(await ok(createConversation, { as: ann, ...call, body })).toMatchObject({
      contact: { id: 'bob' },
      last_message: null,
    });
  });

  test('are the same in a replayed response', async () => {
    const call = {
      as: ann,
      body: { contact_id: 'bob' },
      query: { 'expand[]': all },
      headers: { 'Idempotency-Key': crypto.randomUUID() },
    };
    const first = await request(createConversation, call);
    const again = await request(createConversation, call);
    expect(again.body).toEqual(first.body);
    expect(again.headers['Idempotent-Replayed']).toBe('true');
  });
});

describe('Without `expand`,', () => {
  test('a conversation has no expanded fields', async () => {
    const { dora, id } = await twoPeople();
    await send(dora, id, 'Hello');
    const fields = Object.keys(Conversation.entries).filter(
      (name) => !expansionNames.some((one) => one === name),
    );
    const call = { as: dora, path: { conversation_id: id } };
    const shown = [
      await getConversation(dora, id),
      await changeConversation(dora, id, { is_muted: true }),
      await create(dora, { contact_id: 'bob' }),
      ...(await getConversations(dora)).data,
      await ok(retrieveConversation, { ...call, query: { 'expand[]': '' } }),
    ];
    for (const one of shown) expect(Object.keys(one)).toEqual(fields);
  });

  test('the ETag is the same as with `expand`, but only a request without `expand` returns 304', async () => {
    const { dora, zoe, id } = await twoPeople();
    const call = { as: dora, path: { conversation_id: id } };
    const { ETag = '' } = (await request(retrieveConversation, call)).headers;
    const { id: message_id } = await send(zoe, id, 'Hello');
    const query = { 'expand[]': all };
    const withMessage = await request(retrieveConversation, { ...call, query });
    const known = { 'If-None-Match': withMessage.headers.ETag ?? '' };
    expect(known['If-None-Match']).not.toBe(ETag);
    await edit(zoe, message_id, { message: 'changed' });
    const again = await request(retrieveConversation, { ...call, query, headers: known });
    expect(again).toMatchObject({ status: 200, headers: { ETag: withMessage.headers.ETag } });
    expect(v.parse(Conversation, again.body).last_message?.message).toBe('changed');
    expect((await request(retrieveConversation, { ...call, headers: known })).status).toBe(304);
  });
});

describe('Pages with expanded fields', () => {
  test('have links that contain `expand`', async () => {
    const { dora } = await twoPeople();
    await create(dora, { contact_id: 'bob' });
    const query = { 'expand[]': all, limit: '1' };
    const { headers } = await request(listConversations, { as: dora, query });
    const link = new URL(/<([^>]*)>; rel="next"/.exec(headers.Link ?? '')?.[1] ?? '');
    expect(link.searchParams.getAll('expand[]')).toEqual(all);
  });

  test('together contain every conversation exactly once, even if the maximum reply size shortens the pages', async () => {
    const { zoe } = await twoPeople();
    const many = selectSize(30, 100);
    for (let n = 0; n < many; n++) {
      const other = person(`${zoe.id}-${n}`, {
        avatar_url: `https://a.example/${'a'.repeat(8000)}`,
      });
      const { id } = await create(other, { contact_id: zoe.id });
      await seedMessages(id, other.id, 1, () => clock.now() + n, 'x'.repeat(240_000));
    }
    const query = { 'expand[]': ['contact', 'last_message', 'unread_count'], limit: '100' };
    const seen: string[] = [];
    for (let cursor: string | undefined, more = true; more; cursor = seen.at(-1)) {
      const after = cursor ? { starting_after: cursor } : {};
      const page = await request(listConversations, { as: zoe, query: { ...query, ...after } });
      expect(Buffer.byteLength(JSON.stringify(page.body))).toBeLessThanOrEqual(5_100_000);
      // The request reads only the content that it returns: 240 KB per message. An eventually
      // consistent read costs one unit per 8 KB.
      expect(usage.read_units).toBeLessThanOrEqual((many + 1) * (30 + 5));
      const { has_more, data } = v.parse(listConversations.reply, page.body);
      seen.push(...data.map(({ id }) => id));
      more = has_more;
    }
    expect(new Set(seen).size).toBe(many + 1);
    expect(seen).toHaveLength(many + 1);
  });
});

describe('Expanding is rejected for', () => {
  const wrong: NonNullable<Call['query']>[] = [
    { 'expand[]': 'everything' },
    { 'expand[]': ['contact', 'everything'] },
    { expand: 'contact,last_message' },
    { expand: '{}' },
    { 'expand[0]': 'CONTACT' },
    { 'expand[]': '__proto__' },
  ];
  const refusal = invalidError(
    'expand',
    'must be a list of contact, last_message, unread_count, mentioned, business, assigned_to',
  );

  test.each(wrong)('unknown fields: %j', async (query) => {
    const { dora, id } = await twoPeople();
    const path = { conversation_id: id };
    for (const as of [dora, eve]) {
      for (const [row, call] of [
        [listConversations, {}],
        [retrieveConversation, { path }],
        [updateConversation, { path, body: { is_muted: true } }],
        [createConversation, { body: { contact_id: 'bob' } }],
      ] as [Operation, Partial<Call>][]) {
        expect(await refused(row, { as, ...call, query })).toEqual(refusal);
      }
    }
    expect((await getConversation(dora, id)).is_muted).toBe(false);
  });

  test.each([
    ['expand', 'contact'],
    ['expand', { a: 'contact' }],
    ['expand', null],
    ['expand[0]', ['everything']],
    ['expand[1]', ['contact', 5]],
  ])('an invalid value in a body, reported at %s: %j', async (param, expand) => {
    const body = { contact_id: 'bob', expand };
    expect(await refused(createConversation, { as: ann, body })).toEqual({
      ...refusal,
      param,
      message: refusal.message.replace('expand', param),
    });
  });
});
