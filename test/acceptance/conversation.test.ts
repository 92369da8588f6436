import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import {
  createConversation,
  deleteConversation,
  listMessages,
  listReaders,
  retrieveConversation,
  retrieveMessage,
  retrieveSettings,
  sendMessage,
  updateConversation,
  updateMessage,
  updateSettings,
} from '../../shared/contract/operations.ts';
import { getLinkUrl } from '../response-invariants/page-rules.ts';
import { bearer, call, fetchPath, getError, person, send } from './support/api.ts';
import { eventually } from './support/eventually.ts';

const [ann, bob, carol] = [person('ANN'), person('BOB'), person('CAROL')];

describe('A message from Ann to Bob', () => {
  test('gets a read_at when Bob lists it, and follows his newer reply in the list', async () => {
    const { id } = await call(ann, createConversation, { body: { contact_id: bob.id } });
    const hello = await call(ann, sendMessage, {
      body: { conversation_id: id, message: 'Hello!' },
    });
    expect(hello).toMatchObject({ contact: { id: ann.id }, read_at: null });

    const inbox = await call(bob, listMessages, { query: { conversation_id: id } });
    expect(inbox).toMatchObject({ has_more: false, data: [{ id: hello.id, message: 'Hello!' }] });

    const body = { conversation_id: id, message: 'Hi Ann' };
    const replyMessage = await call(bob, sendMessage, { body });
    const { data } = await call(ann, listMessages, { query: { conversation_id: id } });
    expect(data.map((one) => one.id)).toEqual([replyMessage.id, hello.id]);
    const seen = await call(ann, retrieveMessage, { path: { message_id: hello.id } });
    expect(seen.read_at).toEqual(expect.any(Number));

    expect(await call(bob, retrieveConversation, { path: { conversation_id: id } })).toMatchObject({
      contact_id: ann.id,
      last_active_at: replyMessage.created_at,
    });
  });

  test('remains Bob’s last read message in the list of readers after he marks it as unread; a non-member gets 404 for the list', async () => {
    const { id } = await call(ann, createConversation, { body: { contact_id: bob.id } });
    const path = { conversation_id: id };
    const hello = await call(ann, sendMessage, { body: { ...path, message: 'Hello!' } });
    const read = { path, body: { last_read_message_id: hello.id } };
    const { last_opened_at } = await call(bob, updateConversation, read);
    await call(bob, updateConversation, { path, body: { mark_unread_from: hello.id } });
    for (const person of [ann, bob])
      await eventually(async () =>
        expect(await call(person, listReaders, { path })).toEqual({
          has_more: false,
          data: [{ contact_id: bob.id, last_read_message_id: hello.id, last_opened_at }],
        }),
      );
    expect(await getError(listReaders, await send(carol, listReaders, { path }))).toEqual({
      code: 'not_found',
      param: 'conversation_id',
    });
  });

  test('can be sent as a form, with or without text', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { id } = await call(ann, createConversation, {
      headers: form,
      body: `contact_id=${bob.id}`,
    });
    const body = new URLSearchParams({
      conversation_id: id,
      message: 'Grüße 🦉',
      'attachments[0][name]': 'a.png',
    }).toString();
    expect(await call(ann, sendMessage, { headers: form, body })).toMatchObject({
      message: 'Grüße 🦉',
      attachments: [{ name: 'a.png' }],
    });
    const photo = { conversation_id: id, message: '', 'attachments[0][name]': 'b.png' };
    const photoForm = new URLSearchParams(photo).toString();
    expect(await call(ann, sendMessage, { headers: form, body: photoForm })).toMatchObject({
      message: '',
      attachments: [{ name: 'b.png' }],
    });
  });

  test('can be quoted in a reply that mentions Ann, and expanding the reply returns the quote and the mention', async () => {
    const { id } = await call(ann, createConversation, { body: { contact_id: bob.id } });
    const hello = await call(ann, sendMessage, {
      body: { conversation_id: id, message: 'Hello!' },
    });
    const query = { 'expand[]': ['reply_to', 'mentions'] };
    const mentions = [ann.id];
    const body = { conversation_id: id, message: 'Hi @Ann', reply_to_id: hello.id, mentions };
    const quote = { reply_to_id: hello.id, reply_to: { id: hello.id }, mentions };
    const reply = await call(bob, sendMessage, { body, query });
    expect(reply).toMatchObject(quote);
    const path = { message_id: reply.id };
    const marked = { query: { 'expand[]': 'mentioned' }, path: { conversation_id: id } };
    expect(await call(ann, retrieveConversation, marked)).toMatchObject({ mentioned: true });
    expect(await call(ann, retrieveMessage, { path, query })).toMatchObject(quote);
    const listed = await call(ann, listMessages, { query: { ...query, conversation_id: id } });
    expect(listed.data[0]).toMatchObject(quote);
    const edit = { path, query, body: { message: 'Hi Ann' } };
    expect(await call(bob, updateMessage, edit)).toMatchObject(quote);
  });

  test('cannot be accessed by a non-member: its id, its conversation’s id and unknown ids all return not_found', async () => {
    const { id } = await call(ann, createConversation, { body: { contact_id: bob.id } });
    const hello = await call(ann, sendMessage, {
      body: { conversation_id: id, message: 'Hello!' },
    });
    const never = { conversation: '0'.repeat(26), message: '0'.repeat(44) };
    for (const [conversation_id, message_id] of [
      [id, hello.id],
      [never.conversation, never.message],
    ] as const) {
      const attempts = [
        [retrieveConversation, { path: { conversation_id } }],
        [listMessages, { query: { conversation_id } }],
        [sendMessage, { body: { conversation_id, message: 'Me too' } }],
        [retrieveMessage, { path: { message_id } }],
      ] as const;
      for (const [row, sent] of attempts) {
        const refused = await getError(row, await send(carol, row, sent));
        expect(refused).toMatchObject({ code: 'not_found' });
      }
    }
  });
});

describe('The API', () => {
  test('lists a user as a reader only if the user shares read receipts', async () => {
    const body = { contact_id: `carols-friend-${randomUUID()}` };
    const { id } = await call(carol, createConversation, { body });
    const path = { conversation_id: id };
    const hello = await call(carol, sendMessage, { body: { ...path, message: 'Hello!' } });
    await call(carol, updateConversation, { path, body: { last_read_message_id: hello.id } });
    for (const share_read_receipts of [false, true]) {
      const settings = { share_read_receipts };
      // Another scenario changes Carol's settings concurrently.
      await eventually(async () => {
        expect(await call(carol, updateSettings, { body: settings })).toMatchObject(settings);
        expect(await call(carol, retrieveSettings)).toMatchObject(settings);
        const { data } = await call(carol, listReaders, { path });
        expect(data.map(({ contact_id }) => contact_id)).toEqual(
          share_read_receipts ? [carol.id] : [],
        );
      });
    }
    await call(carol, updateSettings, { body: {} });
  });

  test('returns one distinct conversation for concurrent and repeated requests, and a new one after its deletion', async () => {
    const createDistinct = async (person: typeof ann, contact_id: string) => {
      const body = { contact_id, distinct: true };
      const response = await send(person, createConversation, { body });
      const { id } = v.parse(createConversation.reply, await response.json());
      return { id, status: response.status, location: response.headers.get('Location') ?? '' };
    };
    // Uses a new contact, because other scenarios create and delete conversations of Ann and Bob.
    const contact = `contact-${crypto.randomUUID()}`;
    const results = await Promise.all([1, 2, 3, 4].map(() => createDistinct(ann, contact)));
    const [{ id } = { id: '' }] = results;
    expect(results.map((one) => one.id)).toEqual([id, id, id, id]);
    for (const { location } of results) expect(location).toMatch(new RegExp(`/${id}$`));

    const newcomer = `newcomer-${crypto.randomUUID()}`;
    const first = await createDistinct(ann, newcomer);
    expect(first.status).toBe(201);
    for (const message of ['Hello', 'Welcome'])
      await call(ann, sendMessage, { body: { conversation_id: first.id, message } });
    const body = { contact_id: newcomer, distinct: true };
    const query = { 'expand[]': ['contact', 'last_message', 'unread_count'] };
    expect(await call(ann, createConversation, { body, query })).toMatchObject({
      id: first.id,
      contact: { id: newcomer, username: null },
      last_message: { message: 'Welcome' },
      unread_count: 0,
    });
    expect(await createDistinct(ann, newcomer)).toEqual({ ...first, status: 200 });
    await call(ann, deleteConversation, { path: { conversation_id: first.id } });
    const next = await createDistinct(ann, newcomer);
    expect(next.status).toBe(201);
    expect(next.id).not.toBe(first.id);
    await call(ann, deleteConversation, { path: { conversation_id: next.id } });
  });

  test('returns a Location header with the URL of the created resource', async () => {
    const response = await send(ann, createConversation, { body: { contact_id: bob.id } });
    const created = v.parse(createConversation.reply, await response.json());
    const found = await fetch(response.headers.get('Location') ?? '', {
      headers: bearer(ann.token),
    });
    expect(await found.json()).toEqual(created);
    const conditionalHeaders = {
      ...bearer(ann.token),
      'If-None-Match': response.headers.get('ETag') ?? '',
    };
    const unchanged = await fetchPath(`/v1/conversations/${created.id}`, {
      headers: conditionalHeaders,
    });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
  });

  test('returns every message in a conversation, page by page', async () => {
    const { id } = await call(ann, createConversation, { body: { contact_id: bob.id } });
    for (let n = 1; n <= 25; n++) {
      await call(ann, sendMessage, { body: { conversation_id: id, message: `${n}` } });
    }
    const seen: string[] = [];
    let address: string | undefined = `/v1/messages?conversation_id=${id}`;
    while (address) {
      const response = await fetchPath(address, { headers: bearer(bob.token) });
      const { headers } = response;
      const page = v.parse(listMessages.reply, await response.json());
      seen.push(...page.data.map(({ message }) => message));
      const next = getLinkUrl(headers.get('Link'), 'next');
      address = next && `/v1/messages${next.search}`;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `${25 - n}`));
  });
});

describe('A client that polls while sixteen clients send to the conversation', () => {
  test('receives each message once, in order', async () => {
    const { id } = await call(ann, createConversation, { body: { contact_id: bob.id } });
    const start = await call(ann, sendMessage, { body: { conversation_id: id, message: 'start' } });
    const each = 8;
    let sending = 16;
    const senders = Array.from({ length: sending }, async (_, sender) => {
      for (let n = 0; n < each; n++) {
        const body = { conversation_id: id, message: `${sender}.${n}` };
        await call(sender % 2 ? ann : bob, sendMessage, { body });
      }
      sending -= 1;
    });

    const polled: string[] = [];
    let newest = start.id;
    for (let done = false, more = true; !done || more; ) {
      done = sending === 0;
      const query = { conversation_id: id, ending_before: newest, limit: '20' };
      const page = await call(bob, listMessages, { query });
      polled.push(...page.data.map(({ message }) => message).reverse());
      newest = page.data[0]?.id ?? newest;
      more = page.has_more;
    }
    await Promise.all(senders);

    expect(polled).toHaveLength(16 * each);
    expect(new Set(polled).size).toBe(16 * each);
    const all: string[] = [];
    for (let cursor = '', more = true; more; ) {
      const query = {
        conversation_id: id,
        limit: '100',
        ...(cursor && { starting_after: cursor }),
      };
      const page = await call(ann, listMessages, { query });
      all.push(...page.data.map(({ message }) => message));
      cursor = page.data.at(-1)?.id ?? '';
      more = page.has_more;
    }
    expect(['start', ...polled]).toEqual(all.reverse());
  });
});
