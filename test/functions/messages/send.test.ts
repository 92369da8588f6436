import { describe, expect, test } from '@jest/globals';
import { sendMessage } from '../../../shared/contract/operations.ts';
import { parseMessageId } from '../../../shared/ids.ts';
import { fillGap } from '../../../shared/table/messages/log/resolve-gaps.ts';
import { create, getConversation, list, send } from '../../support/handlers/api-calls.ts';
import { ann, bob, eve, person } from '../../support/handlers/callers.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { toFormFields } from '../../support/handlers/to-form-fields.ts';
import { interceptCalls } from '../../support/table/call-hooks.ts';
import '../../support/setup/use-table.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('Sending a message', () => {
  test('returns the message with its sender, unread and never edited', async () => {
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
    ['line breaks, tabs, a null byte', 'a\n\tb\u0000c'],
    ['right-to-left and combining text', 'שלום e\u0301'],
    ['directional marks and overrides', '\u200fשלום\u200e a \u202eb\u202c \u2066c\u2069'],
    ['emoji of several characters', '👩‍👩‍👧‍👦 👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪 1️⃣ ❤️'],
    ['an emoji among invisible characters', '\u200b\u2800👍\u00ad'],
    ['the replacement character', 'a\ufffdb'],
  ])('keeps the text as it was sent: %s', async (_, message) => {
    const { id } = await create(ann, { contact_id: 'bob' });
    await send(ann, id, message);
    expect((await list(bob, id)).data.map((one) => one.message)).toEqual([message]);
  });

  test('keeps attachments as they were sent, including additional fields', async () => {
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

  test('accepts a form: brackets nest, and digits are numbers in number fields', async () => {
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

  test('requires text in a form with attachments', async () => {
    const { id: conversation_id } = await create(ann, { contact_id: 'bob' });
    const fields = { conversation_id, 'attachments[0][name]': 'photo.jpg' };
    const body = new URLSearchParams(fields).toString();
    expect(await refused(sendMessage, { as: ann, headers: form, body })).toMatchObject({
      status: 400,
      code: 'parameter_missing',
      param: 'message',
    });
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

  test('succeeds for every participant: creator, contact, members, and a contact added to a group', async () => {
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
      'a non-member whose groups have the names of the participants',
      person('eve', { groups: ['ann', 'bob'] }),
    ],
  ])('from %s returns 404, and stores nothing', async (_, as) => {
    const { id: conversation_id } = await create(ann, { contact_id: 'bob' });
    // The last one is longer than the maximum key size of the table.
    for (const unseen of [conversation_id, '0'.repeat(26), 'garbage', 'x'.repeat(3000)]) {
      const body = { conversation_id: unseen, message: 'Hi' };
      expect(await refused(sendMessage, { as, body })).toEqual({
        status: 404,
        type: 'invalid_request',
        code: 'not_found',
        param: 'conversation_id',
        message: "Nothing that you can access has the id given as 'conversation_id'.",
      });
    }
    expect((await list(ann, conversation_id)).data).toEqual([]);
    expect((await getConversation(ann, conversation_id)).last_active_at).toBeNull();
  });

  test.each([
    ['no text', {}, 'parameter_missing', 'message', "'message' is required."],
    [
      'null for text',
      { message: null },
      'parameter_invalid',
      'message',
      "'message' must be a string of 0 to 10000 characters.",
    ],
    [
      'an empty text',
      { message: '' },
      'parameter_invalid',
      'message',
      "'message' must not be empty without attachments.",
    ],
    ...[null, []].map((attachments): [string, object, string, string, string] => [
      `an empty text and the attachments ${JSON.stringify(attachments)}`,
      { message: '', attachments },
      'parameter_invalid',
      'message',
      "'message' must not be empty without attachments.",
    ]),
    [
      'attachments, but no text',
      { attachments: [{ name: 'a.png' }] },
      'parameter_missing',
      'message',
      "'message' is required.",
    ],
    [
      'attachments, and a blank text',
      { message: ' ', attachments: [{ name: 'a.png' }] },
      'parameter_invalid',
      'message',
      "'message' must not be blank.",
    ],
    [
      'a blank text',
      { message: ' \n\t' },
      'parameter_invalid',
      'message',
      "'message' must not be blank.",
    ],
    [
      'a text without visible characters',
      { message: '\u200b\u2800\u00ad\u3164\ufeff\u2060\ufe0f' },
      'parameter_invalid',
      'message',
      "'message' must not be blank.",
    ],
    ...['a\u0000b', 'a\nb', 'a\u202eb', 'a\u2067b', '\u200b', ' ', 'a\ud800'].flatMap((label) =>
      ['name', 'type'].map((field): [string, object, string, string, string] => [
        `an attachment with the ${field} ${JSON.stringify(label)}`,
        { message: 'a', attachments: [{}, { [field]: label }] },
        'parameter_invalid',
        `attachments[1].${field}`,
        `'attachments[1].${field}' must contain a visible character, and no control characters, line breaks or changes of the writing direction.`,
      ]),
    ),
    ...[
      'https://example.com/a b',
      'https://example.com/\u202egnp.exe',
      'https://example.com/ü',
    ].map((url): [string, object, string, string, string] => [
      `an attachment with the URL ${JSON.stringify(url)}`,
      { message: 'a', attachments: [{ url }] },
      'parameter_invalid',
      'attachments[0].url',
      "'attachments[0].url' must be a URL as defined in RFC 3986, with other characters percent-encoded.",
    ]),
    [
      '10,001 characters',
      { message: 'a'.repeat(10_001) },
      'parameter_invalid',
      'message',
      "'message' must be a string of 0 to 10000 characters.",
    ],
    [
      'a lone surrogate',
      { message: 'a\ud800' },
      'parameter_invalid',
      'message',
      "'message' must be well-formed Unicode.",
    ],
    ...[{ any: '\ud800' }, { any: [{ deep: ['a', '\udc00b'] }] }, { any: { '\ud800': 1 } }].map(
      (attachment): [string, object, string, string, string] => [
        `a lone surrogate in an attachment: ${JSON.stringify(attachment)}`,
        { message: 'a', attachments: [{}, attachment] },
        'parameter_invalid',
        'attachments[1]',
        "'attachments[1]' must be well-formed Unicode.",
      ],
    ),
    [
      'a number as the text',
      { message: 5 },
      'parameter_invalid',
      'message',
      "'message' must be a string of 0 to 10000 characters.",
    ],
    [
      'eleven attachments',
      { message: 'a', attachments: Array(11).fill({}) },
      'parameter_invalid',
      'attachments',
      "'attachments' must have at most 10 items.",
    ],
    [
      'an attachment that is a string',
      { message: 'a', attachments: ['b'] },
      'parameter_invalid',
      'attachments[0]',
      "'attachments[0]' must be an object.",
    ],
    [
      'an attachment that is a list',
      { message: 'a', attachments: [{}, ['b']] },
      'parameter_invalid',
      'attachments[1]',
      "'attachments[1]' must be an object.",
    ],
    [
      'an attachment of 4097 bytes',
      { message: 'a', attachments: [{ a: `u${'ü'.repeat(2044)}` }] },
      'parameter_invalid',
      'attachments[0]',
      "'attachments[0]' must be at most 4096 bytes as JSON.",
    ],
    [
      'an http attachment',
      { message: 'a', attachments: [{ url: 'http://example.com' }] },
      'parameter_invalid',
      'attachments[0].url',
      "'attachments[0].url' must be an https URL.",
    ],
    [
      'a script URL in an attachment',
      { message: 'a', attachments: [{ url: 'javascript:alert(1)' }] },
      'parameter_invalid',
      'attachments[0].url',
      "'attachments[0].url' must be an https URL.",
    ],
  ])('with %s is rejected, and nothing is sent', async (_, content, code, param, message) => {
    const { id: conversation_id } = await create(ann, { contact_id: 'bob' });
    const body = { conversation_id, ...content };
    const error = await refused(sendMessage, { as: ann, body });
    expect(error).toEqual({ status: 400, type: 'invalid_request', code, param, message });
    expect((await list(ann, conversation_id)).data).toEqual([]);
  });

  test.each([
    ['cut-off JSON', '{"message":', {}, 400, 'body_malformed'],
    ['a JSON list', '[]', {}, 400, 'body_malformed'],
    ['a JSON string', '"hello"', {}, 400, 'body_malformed'],
    [
      'JSON above the depth limit',
      `{"a":${'['.repeat(20)}${']'.repeat(20)}}`,
      {},
      400,
      'body_malformed',
    ],
    ['JSON far above the depth limit', '['.repeat(100_000), {}, 400, 'body_malformed'],
    ['2,001 fields', JSON.stringify({ a: Array(2000).fill(1) }), {}, 400, 'body_malformed'],
    ['a form of 2,001 fields', Array(2001).fill('a=1').join('&'), form, 400, 'body_malformed'],
    ['a form that uses a name as both a list and a map', 'a=1&a[b]=2', form, 400, 'body_malformed'],
    [
      'a field with the name of a JavaScript built-in',
      '{"message":"a","__proto__":{}}',
      {},
      400,
      'body_malformed',
    ],
    [
      'a form field with the name of a JavaScript built-in',
      'attachments[0][constructor]=a',
      form,
      400,
      'body_malformed',
    ],
    ['plain text', 'hello', { 'Content-Type': 'text/plain' }, 415, 'content_type_unsupported'],
    ['no content type', '{}', { 'Content-Type': '' }, 415, 'content_type_unsupported'],
    ['257 KB', `{"a":"${'x'.repeat(257 * 1024)}"}`, {}, 413, 'body_too_large'],
  ])('with %s as the body is rejected', async (_, body, headers, status, code) => {
    expect(await refused(sendMessage, { as: ann, body, headers })).toMatchObject({ status, code });
  });

  test('with another JSON media type and an upper-case header is accepted', async () => {
    const { id: conversation_id } = await create(ann, { contact_id: 'bob' });
    const { status } = await request(sendMessage, {
      as: ann,
      headers: { 'Content-Type': '', 'CONTENT-TYPE': 'application/vnd.api+json; charset=utf-8' },
      body: { conversation_id, message: 'Hi', id: 'ignored', read_at: 5 },
    });
    expect(status).toBe(201);
  });
});

describe('A send with concurrent readers', () => {
  /**
   * Readers mark the gap as a tombstone before the send writes its message, for the first `times`
   * attempts.
   */
  function losesItsSequence(conversationId: string, times: number) {
    let sequences = 0;
    const undo = interceptCalls(async ({ operation, input }, goOn) => {
      const isMessage = operation === 'PutItem' && JSON.stringify(input).includes('"message":');
      if (isMessage && sequences < times) {
        sequences += 1;
        await fillGap(conversationId, sequences, 0);
      }
      await goOn();
    });
    return { undo, places: () => sequences };
  }

  test('reserves another sequence number if readers have filled the first', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { undo, places } = losesItsSequence(id, 7);
    const { id: sent } = await send(ann, id, 'late');
    undo();
    expect(places()).toBe(7);
    expect(parseMessageId(sent)?.sequence).toBe(8);
    expect((await list(bob, id)).data.map((one) => one.id)).toEqual([sent]);
  });

  test('returns a retryable error after eight reservations, and sends nothing', async () => {
    const { id: conversation_id } = await create(ann, { contact_id: 'bob' });
    const { undo } = losesItsSequence(conversation_id, 8);
    const body = { conversation_id, message: 'late' };
    expect(await refused(sendMessage, { as: ann, body })).toMatchObject({
      status: 503,
      code: 'unavailable',
    });
    undo();
    expect((await list(bob, conversation_id)).data).toEqual([]);
  });

  test('sends once if the table’s reply is lost and the call is retried', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    interceptCalls(async ({ operation }, goOn) => {
      await goOn();
      if (operation === 'PutItem') await goOn();
    });
    const { id: sent } = await send(ann, id, 'once');
    expect((await list(bob, id)).data.map((one) => one.id)).toEqual([sent]);
  });
});
