import { describe, expect, test } from '@jest/globals';
import { sendMessage } from '../../../shared/contract/operations.ts';
import { parseMessageId } from '../../../shared/ids.ts';
import { fillGap } from '../../../shared/table/messages/log/resolve-gaps.ts';
import { create, getConversation, list, send } from '../../support/handlers/api-calls.ts';
import { notFoundError } from '../../support/handlers/expected-errors.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { toFormFields } from '../../support/handlers/to-form-fields.ts';
import { ann, bob, eve, person } from '../../support/people/callers.ts';
import { interceptCalls } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('Sending a message', () => {
  test('returns the message with its sender, unread and unedited', async () => {
    const { id: conversation_id } = await create(ann, { contact_id: 'bob' });

    const { status, headers, body } = await request(sendMessage, {
      as: ann,
      body: { conversation_id, message: 'Hello, Bob!' },
    });

    const { id, created_at } = body as { id: string; created_at: number };
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(new RegExp(`^${conversation_id}[0-9A-Z]{18}$`)),
        conversation_id,
        contact: {
          id: 'ann',
          username: 'ann.name',
          phone_number: '+4930123456',
          avatar_url: 'https://example.com/ann.png',
          last_active_at: expect.any(Number),
          created_at: expect.any(Number),
        },
        message: 'Hello, Bob!',
        reactions: [],
        attachments: [],
        read_at: null,
        created_at: expect.any(Number),
        updated_at: null,
      },
    });
    expect(headers.Location).toBe(`https://api.example.com/v1/messages/${id}`);
    expect((await getConversation(bob, conversation_id)).last_active_at).toBe(created_at);
  });

  test.each([
    ['one letter', 'a'],
    ['10,000 characters', 'a'.repeat(10_000)],
    ['10,000 emoji', '🦉'.repeat(10_000)],
    ['a line break, a tab and a null character', 'a\n\tb\u0000c'],
    ['right-to-left and combining text', 'שלום e\u0301'],
    ['directional marks and overrides', '\u200fשלום\u200e a \u202eb\u202c \u2066c\u2069'],
    ['emoji of several characters', '👩‍👩‍👧‍👦 👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪 1️⃣ ❤️'],
    ['an emoji among invisible characters', '\u200b\u2800👍\u00ad'],
    ['the replacement character', 'a\ufffdb'],
  ])('stores the text unchanged: %s', async (_, message) => {
    const { id } = await create(ann, { contact_id: 'bob' });
    await send(ann, id, message);
    expect((await list(bob, id)).data.map((one) => one.message)).toEqual([message]);
  });

  test('stores attachments unchanged, including additional fields', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const attachments = [
      { name: 'a.png', url: 'https://example.com/a.png', type: 'image/png', size: 12_345 },
      { nested: { deep: [1, 2.5, 1e21, null, true, ''] }, empty: {}, 'any\nname': '\u202e' },
      { name: '', url: null, type: '' },
      { name: 'חשבונית \u200e5.pdf', type: 'application/pdf' },
    ];
    await send(ann, id, 'Look', { attachments });
    expect((await list(bob, id)).data[0]?.attachments).toEqual(attachments);
  });

  test('accepts a form with nested brackets, and reads digits as numbers only in number fields', async () => {
    const { id: conversation_id } = await create(ann, { contact_id: 'bob' });
    const { status, body } = await request(sendMessage, {
      as: ann,
      headers: form,
      body: new URLSearchParams({
        conversation_id,
        message: '42',
        'attachments[0][name]': 'a.png',
        'attachments[0][size]': '7',
        'attachments[1][url]': 'https://example.com/b',
      }).toString(),
    });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        message: '42',
        attachments: [{ name: 'a.png', size: 7 }, { url: 'https://example.com/b' }],
      },
    });
  });

  test.each([
    ['JSON', {}, (fields: object) => fields],
    ['a form', form, (fields: object) => new URLSearchParams(toFormFields(fields)).toString()],
  ])('accepts an empty text with attachments, in %s', async (_, headers, toBody) => {
    const { id: conversation_id } = await create(ann, { contact_id: 'bob' });
    const attachments = [{ name: 'photo.jpg', url: 'https://example.com/photo.jpg' }];
    const body = toBody({ conversation_id, message: '', attachments });
    const reply = await request(sendMessage, { as: ann, headers, body });
    expect(reply).toMatchObject({ status: 201, body: { message: '', attachments } });
    expect((await list(bob, conversation_id)).data).toMatchObject([{ message: '', attachments }]);
  });

  test('accepts a body that the gateway encodes in base64', async () => {
    const { id: conversation_id } = await create(ann, { contact_id: 'bob' });
    const body = JSON.stringify({ conversation_id, message: 'Grüße' });
    const { status, body: reply } = await request(sendMessage, {
      as: ann,
      body: Buffer.from(body).toString('base64'),
      isBase64Encoded: true,
    });
    expect({ status, reply }).toMatchObject({ status: 201, reply: { message: 'Grüße' } });
  });

  test('succeeds for the contact, for group members, and for a contact added to a group conversation', async () => {
    const direct = await create(ann, { contact_id: 'bob' });
    await send(bob, direct.id, 'from the contact');
    const member = person('carl', { groups: ['other', 'team'] });
    const group = await create(member, { group_id: 'team', contact_id: 'bob' });
    await send(person('dora', { groups: ['team'] }), group.id, 'from a member');
    await send(bob, group.id, 'from the added contact');
    expect((await list(member, group.id)).data.map(({ contact }) => contact.id)).toEqual([
      'bob',
      'dora',
    ]);
  });

  test.each([
    ['a stranger', eve],
    [
      'a non-participant whose groups have the ids of the participants',
      person('eve', { groups: ['ann', 'bob'] }),
    ],
  ])('from %s returns 404, and stores nothing', async (_, as) => {
    const { id: conversation_id } = await create(ann, { contact_id: 'bob' });
    // The last id is longer than the maximum key size of the table.
    for (const unseen of [conversation_id, '0'.repeat(26), 'garbage', 'x'.repeat(3000)]) {
      const body = { conversation_id: unseen, message: 'Hi' };
      expect(await refused(sendMessage, { as, body })).toEqual(notFoundError('conversation_id'));
    }
    expect((await list(ann, conversation_id)).data).toEqual([]);
    expect((await getConversation(ann, conversation_id)).last_active_at).toBeNull();
  });

  const length = 'must be a string of 0 to 10000 characters';
  const empty = 'must not be empty if the message has no attachments';
  const blank = 'must not be blank';
  const unicode = 'must be well-formed Unicode';
  const label =
    'must contain a visible character, and no control characters, line breaks or characters that change the text direction';
  const attached = (...attachments: unknown[]) => ({ message: 'a', attachments });

  test.each<[string, object, string, string]>([
    ['no text', {}, 'message', 'is required'],
    ['attachments, but no text', { attachments: [{ name: 'a.png' }] }, 'message', 'is required'],
    ['null as the text', { message: null }, 'message', length],
    ['a number as the text', { message: 5 }, 'message', length],
    ['10,001 characters', { message: 'a'.repeat(10_001) }, 'message', length],
    ['an empty text', { message: '' }, 'message', empty],
    ['an empty text, and null attachments', { message: '', attachments: null }, 'message', empty],
    ['an empty text, and no attachments', { message: '', attachments: [] }, 'message', empty],
    [
      'a blank text, and attachments',
      { ...attached({ name: 'a' }), message: ' ' },
      'message',
      blank,
    ],
    ['a text without visible characters', { message: '\u200b\u2800\u00ad' }, 'message', blank],
    ['a lone surrogate', { message: 'a\ud800' }, 'message', unicode],
    ...[{ any: '\ud800' }, { any: [{ deep: ['a', '\udc00b'] }] }, { any: { '\ud800': 1 } }].map(
      (attachment): [string, object, string, string] => [
        `a lone surrogate in an attachment: ${JSON.stringify(attachment)}`,
        attached({}, attachment),
        'attachments[1]',
        unicode,
      ],
    ),
    [
      'an invisible attachment name',
      attached({}, { name: '\u200b' }),
      'attachments[1].name',
      label,
    ],
    ['a line break in a type', attached({}, { type: 'a\nb' }), 'attachments[1].type', label],
    [
      'a space in a URL',
      attached({ url: 'https://example.com/a b' }),
      'attachments[0].url',
      'must be a URL as defined in RFC 3986: percent-encode the characters that it does not allow',
    ],
    [
      'a javascript: URL',
      attached({ url: 'javascript:alert(1)' }),
      'attachments[0].url',
      'must be an https URL',
    ],
    [
      'eleven attachments',
      attached(...Array(11).fill({})),
      'attachments',
      'must have at most 10 items',
    ],
    ['an attachment that is a list', attached({}, ['b']), 'attachments[1]', 'must be an object'],
    [
      'an attachment of 4097 bytes',
      attached({ a: `u${'ü'.repeat(2044)}` }),
      'attachments[0]',
      'must be at most 4096 bytes as JSON',
    ],
  ])('with %s is rejected, and nothing is sent', async (_, content, param, rule) => {
    const { id: conversation_id } = await create(ann, { contact_id: 'bob' });
    const body = { conversation_id, ...content };
    expect(await refused(sendMessage, { as: ann, body })).toEqual({
      status: 400,
      type: 'invalid_request',
      code: rule === 'is required' ? 'parameter_missing' : 'parameter_invalid',
      param,
      message: `'${param}' ${rule}.`,
    });
    expect((await list(ann, conversation_id)).data).toEqual([]);
  });

  test.each<[string, string, object?]>([
    ['a JSON string', '"hello"'],
    ['JSON above the depth limit', `{"a":${'['.repeat(20)}${']'.repeat(20)}}`],
    ['JSON far above the depth limit', '['.repeat(100_000)],
    ['2,001 fields', JSON.stringify({ a: Array(2000).fill(1) })],
    ['a form of 2,001 fields', Array(2001).fill('a=1').join('&'), form],
    ['a form that uses a name for both a string and a map', 'a=1&a[b]=2', form],
    ['a field with the name of a JavaScript built-in', '{"message":"a","__proto__":{}}'],
    ['a form field named like a JavaScript built-in', 'attachments[0][constructor]=a', form],
  ])('with %s as the body is rejected', async (_, body, headers = {}) => {
    const error = { status: 400, code: 'body_malformed' };
    expect(await refused(sendMessage, { as: ann, body, headers: { ...headers } })).toMatchObject(
      error,
    );
  });

  test.each([
    ['a plain text body', 'hello', 'text/plain', 415, 'content_type_unsupported'],
    ['no content type', '{}', '', 415, 'content_type_unsupported'],
    [
      'a body of 257 KB',
      `{"a":"${'x'.repeat(257 * 1024)}"}`,
      'application/json',
      413,
      'body_too_large',
    ],
  ])('with %s is rejected', async (_, body, type, status, code) => {
    const call = { as: ann, body, headers: { 'Content-Type': type } };
    expect(await refused(sendMessage, call)).toMatchObject({ status, code });
  });

  test('with another JSON media type and an upper-case header name is accepted', async () => {
    const { id: conversation_id } = await create(ann, { contact_id: 'bob' });
    const { status } = await request(sendMessage, {
      as: ann,
      headers: { 'Content-Type': '', 'CONTENT-TYPE': 'application/vnd.api+json; charset=utf-8' },
      body: { conversation_id, message: 'Hi', id: 'ignored', read_at: 5 },
    });
    expect(status).toBe(201);
  });

  test('stores the message once if the table’s reply is lost and the call is retried', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    interceptCalls(async ({ operation }, proceed) => {
      await proceed();
      if (operation === 'PutItem') await proceed();
    });
    const { id: sent } = await send(ann, id, 'once');
    expect((await list(bob, id)).data.map((one) => one.id)).toEqual([sent]);
  });
});

describe('A send with concurrent readers', () => {
  /**
   * Fills the reserved sequence number in the first `times` attempts of a send, as a concurrent
   * reader would.
   */
  function fillReservedNumbers(conversationId: string, times: number) {
    let sequences = 0;
    const undo = interceptCalls(async ({ operation, input }, proceed) => {
      const isMessage = operation === 'PutItem' && JSON.stringify(input).includes('"message":');
      if (isMessage && sequences < times) {
        sequences += 1;
        await fillGap(conversationId, sequences, 0);
      }
      await proceed();
    });
    return { undo, countFilled: () => sequences };
  }

  test('reserves new sequence numbers while readers fill the reserved ones', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { undo, countFilled } = fillReservedNumbers(id, 7);
    const { id: sent } = await send(ann, id, 'late');
    undo();
    expect(countFilled()).toBe(7);
    expect(parseMessageId(sent)?.sequence).toBe(8);
    expect((await list(bob, id)).data.map((one) => one.id)).toEqual([sent]);
  });

  test('returns a retryable error after eight reservations, and sends nothing', async () => {
    const { id: conversation_id } = await create(ann, { contact_id: 'bob' });
    const { undo } = fillReservedNumbers(conversation_id, 8);
    const body = { conversation_id, message: 'late' };
    expect(await refused(sendMessage, { as: ann, body })).toMatchObject({
      status: 503,
      code: 'unavailable',
    });
    undo();
    expect((await list(bob, conversation_id)).data).toEqual([]);
  });
});
