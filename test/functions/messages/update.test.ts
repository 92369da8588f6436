import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { updateMessage } from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import {
  create,
  edit,
  getMessage,
  react,
  removeMessage,
  send,
} from '../../support/handlers/api-calls.ts';
import { notAllowedError } from '../../support/handlers/expected-errors.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { toMissingId } from '../../support/handlers/missing-id.ts';
import { ann, bob, eve } from '../../support/people/callers.ts';
import { beforeFirstCall, interceptCalls, isUpdate } from '../../support/table/call-hooks.ts';
import { getStoredMessage } from '../../support/table/stored-reactions.ts';
import '../../support/setup/use-table.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

let id: string;
let sent: Awaited<ReturnType<typeof send>>;
beforeEach(async () => {
  ({ id } = await create(ann, { contact_id: 'bob' }));
  sent = await send(ann, id, 'Hello', { attachments: [{ name: 'a.png' }] });
});

describe('Editing a message', () => {
  test('changes only the fields in the request, and returns the edit time', async () => {
    jest.spyOn(clock, 'now').mockReturnValue((sent.created_at + 60) * 1000);
    const edited = await edit(ann, sent.id, { message: 'Hello, Bob' });
    jest.restoreAllMocks();
    expect(edited).toEqual({
      ...sent,
      message: 'Hello, Bob',
      updated_at: sent.created_at + 60,
      contact: edited.contact,
    });
    expect(await getMessage(ann, sent.id)).toEqual(edited);
  });

  test.each([
    ['new attachments', [{ name: 'b.png' }], [{ name: 'b.png' }]],
    ['an empty list', [], []],
    ['null', null, []],
  ])('replaces the attachments with %s', async (_, attachments, expected) => {
    expect(await edit(ann, sent.id, { attachments })).toMatchObject({
      message: 'Hello',
      attachments: expected,
      updated_at: expect.any(Number),
    });
  });

  test('accepts an empty text if the message has attachments', async () => {
    expect(await edit(ann, sent.id, { message: '' })).toMatchObject({
      message: '',
      attachments: [{ name: 'a.png' }],
    });
    expect(await edit(ann, sent.id, { message: '', attachments: [{ name: 'b' }] })).toMatchObject({
      message: '',
      attachments: [{ name: 'b' }],
    });
    const withText = { message: 'Look', attachments: [] };
    expect(await edit(ann, sent.id, withText)).toMatchObject(withText);
  });

  test.each<[string, { message?: string }, object, string]>([
    ['the text of a message without attachments', { message: 'a' }, { message: '' }, 'message'],
    ['the text and the attachments', {}, { message: '', attachments: [] }, 'message'],
    ['the text and, with null, the attachments', {}, { message: '', attachments: null }, 'message'],
    [
      'the attachments of a message without text',
      { message: '' },
      { attachments: [] },
      'attachments',
    ],
    [
      'the attachments, with null, of a message without text',
      { message: '' },
      { attachments: null },
      'attachments',
    ],
  ])('returns 400 if it empties %s', async (_, content, body, param) => {
    const attachments = content.message === 'a' ? [] : [{ name: 'a.png' }];
    const one = await send(ann, id, content.message ?? 'text', { attachments });
    const call = { as: ann, path: { message_id: one.id }, body };
    expect(await refused(updateMessage, call)).toMatchObject({
      status: 400,
      code: 'parameter_invalid',
      param,
      message: expect.stringContaining('must not be empty if the message has no'),
    });
    expect(await getMessage(ann, one.id)).toEqual(one);
  });

  test('returns 400 for one of two concurrent edits that together would empty the message', async () => {
    const call = (body: object) =>
      request(updateMessage, { as: ann, path: { message_id: sent.id }, body });
    const replies = await Promise.all([call({ message: '' }), call({ attachments: [] })]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('is allowed only for the sender, but any participant may send back an unchanged message', async () => {
    const seen = await getMessage(bob, sent.id);
    expect(await edit(bob, sent.id, seen)).toEqual(seen);
    for (const body of [{ message: 'Hacked' }, { attachments: [] }]) {
      expect(
        await refused(updateMessage, { as: bob, path: { message_id: sent.id }, body }),
      ).toEqual(
        notAllowedError('Only the sender can change the text or the attachments of a message.'),
      );
    }
    expect(await getMessage(ann, sent.id)).toMatchObject({ message: 'Hello', updated_at: null });
  });

  test('returns 404 for a non-participant, for an unknown id, and for a deleted message', async () => {
    const missing = toMissingId(sent.id);
    await removeMessage(ann, (await send(ann, id, 'gone')).id);
    const other = await send(ann, id, 'other');
    await removeMessage(ann, other.id);
    for (const [as, message_id] of [
      [eve, sent.id],
      [ann, missing],
      [ann, other.id],
      [ann, 'garbage'],
    ] as const) {
      for (const body of [{}, { message: 'x' }, { reactions: { a: ['ann'] } }]) {
        expect(await refused(updateMessage, { as, path: { message_id }, body })).toMatchObject({
          status: 404,
          param: 'message_id',
        });
      }
    }
  });

  test.each<[string, object]>([
    ['another text', { message: 'second' }],
    ['other attachments', { attachments: [{ name: 'b.png' }] }],
    ['no attachments', { attachments: [] }],
    ['a text, with the current attachments', { message: 'b', attachments: [{ name: 'a.png' }] }],
    ['a reaction', { reactions: { fine: ['ann'] } }],
    ['a reaction with a new name, and a removed one', { reactions: { fine: ['ann'], ok: [] } }],
    ['a removed reaction', { reactions: { ok: [] } }],
    ['everything', { message: 'b', attachments: null, reactions: { fine: ['ann'], ok: [] } }],
  ])('costs a read of the conversation and a write: %s', async (_, body) => {
    await react(ann, sent.id, { ok: ['ann'] });
    const changed = await edit(ann, sent.id, body);
    expect(usage).toEqual({ table_calls: 2, read_units: 1, write_units: 1 });
    expect(await getMessage(ann, sent.id)).toEqual(changed);
  });

  test('costs a read of the conversation and a write if it adds the first attachments to a message', async () => {
    const bare = await send(ann, id, 'Bare');
    await edit(ann, bare.id, { attachments: [{ name: 'b.png' }] });
    expect(usage).toEqual({ table_calls: 2, read_units: 1, write_units: 1 });
  });

  test.each([[[]], [null]])(
    'with %j as attachments changes nothing if the message has none',
    async (noAttachments) => {
      const bare = await send(ann, id, 'Bare');
      expect(await edit(ann, bare.id, { attachments: noAttachments })).toMatchObject({
        updated_at: null,
      });
      expect(await edit(bob, bare.id, { attachments: noAttachments })).toMatchObject({
        updated_at: null,
      });
    },
  );

  test('with its current attachments changes nothing, even if their fields are in another order', async () => {
    const one = await send(ann, id, 'One', { attachments: [{ b: { d: 1, c: 2 }, size: 1, a: 3 }] });
    const attachments = [{ a: 3, size: 1, b: { c: 2, d: 1 } }];
    expect(await edit(ann, one.id, { attachments })).toMatchObject({
      attachments,
      updated_at: null,
    });
  });

  test('with an unchanged response, an empty body or an existing reaction writes nothing', async () => {
    await react(bob, sent.id, { ok: ['bob'] });
    const seen = await getMessage(bob, sent.id);
    const { version } = await getStoredMessage(sent.id);
    for (const body of [
      seen,
      {},
      { id: 'x' },
      { reactions: {} },
      { reactions: [] },
      { reactions: { ok: ['bob.name'] } },
      { reactions: { no: [] } },
    ]) {
      await edit(bob, sent.id, body);
      expect(await getMessage(bob, sent.id)).toEqual(seen);
      expect((await getStoredMessage(sent.id)).version).toBe(version);
    }
  });

  test('with If-Match succeeds only for the current ETag or *', async () => {
    const path = { message_id: sent.id };
    const change = (etag: string, message: string) =>
      request(updateMessage, { as: ann, path, headers: { 'If-Match': etag }, body: { message } });
    const { headers } = await request(updateMessage, { as: ann, path, body: {} });
    const { ETag = '' } = headers;

    expect(await change('"other"', 'x')).toMatchObject({ status: 412 });
    expect(await change(`W/${ETag}`, 'x')).toMatchObject({ status: 412 });
    const replies = await Promise.all(['one', 'two', 'three'].map((text) => change(ETag, text)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    expect(await change(ETag, 'late')).toMatchObject({ status: 412 });
    expect(await change('*', 'any')).toMatchObject({ status: 200, body: { message: 'any' } });
  });
});

describe('Editing a message with If-Match', () => {
  test.each([
    ['edits the message', () => edit(ann, sent.id, { message: 'quicker' })],
    ['reacts to it', () => react(bob, sent.id, { ok: ['bob'] })],
  ])(
    'returns 412 and changes nothing if another request %s between the read and the write',
    async (_, act) => {
      const path = { message_id: sent.id };
      const { headers } = await request(updateMessage, { as: ann, path, body: {} });
      let changed: unknown;
      const stop = beforeFirstCall(isUpdate(), async () => {
        changed = await act();
      });
      const call = { as: ann, path, headers: { 'If-Match': headers.ETag ?? '' } };
      const reply = await request(updateMessage, { ...call, body: { message: 'late' } });
      stop();
      expect(reply).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
      expect(await getMessage(ann, sent.id)).toEqual(changed);
    },
  );
});

describe('An update', () => {
  /** Runs `act` before each attempt to set `text`. */
  function beforeEachAttempt(text: string, act: (attempt: number) => Promise<unknown>) {
    let attempt = 0;
    const undo = interceptCalls(async ({ operation, input }, proceed) => {
      if (operation === 'UpdateItem' && JSON.stringify(input).includes(`"${text}"`)) {
        attempt += 1;
        await act(attempt);
      }
      await proceed();
    });
    return { undo, attempts: () => attempt };
  }
  const call = () => ({ as: ann, path: { message_id: sent.id }, headers: { 'If-Match': '*' } });

  test('is retried after concurrent changes, and retains them', async () => {
    const { undo, attempts } = beforeEachAttempt('mine', (n) =>
      n < 10 ? react(bob, sent.id, { [`r${n}`]: ['bob'] }) : Promise.resolve(),
    );
    const { status } = await request(updateMessage, { ...call(), body: { message: 'mine' } });
    undo();
    expect({ status, attempts: attempts() }).toEqual({ status: 200, attempts: 10 });
    const { message, reactions } = await getMessage(ann, sent.id);
    expect({ message, reactions: reactions.length }).toEqual({ message: 'mine', reactions: 9 });
  });

  test('returns a retryable error and changes nothing after ten attempts that conflict with other changes', async () => {
    const { undo } = beforeEachAttempt('mine', (n) => react(bob, sent.id, { [`r${n}`]: ['bob'] }));
    expect(await refused(updateMessage, { ...call(), body: { message: 'mine' } })).toMatchObject({
      status: 503,
      code: 'unavailable',
    });
    undo();
    expect((await getMessage(ann, sent.id)).message).toBe('Hello');
  });

  test('succeeds if the table’s reply is lost and the call is retried, even with If-Match', async () => {
    const { headers } = await request(updateMessage, { ...call(), body: {} });
    interceptCalls(async ({ operation }, proceed) => {
      await proceed();
      if (operation === 'UpdateItem') await proceed();
    });
    const { status } = await request(updateMessage, {
      ...call(),
      headers: { 'If-Match': headers.ETag ?? '' },
      body: { message: 'mine' },
    });
    expect(status).toBe(200);
    expect((await getMessage(ann, sent.id)).message).toBe('mine');
  });
});

describe('Reacting to a message', () => {
  test('adds and removes the caller’s reaction, and leaves updated_at null', async () => {
    expect(await react(bob, sent.id, { thumbsup: ['bob'] })).toMatchObject({
      reactions: [{ thumbsup: ['bob'] }],
      updated_at: null,
    });
    await react(ann, sent.id, [{ thumbsup: ['bob', 'ann'] }, { '🎉': ['ann'] }]);
    expect((await getMessage(ann, sent.id)).reactions).toEqual([
      { thumbsup: ['ann', 'bob'] },
      { '🎉': ['ann'] },
    ]);
    await react(bob, sent.id, { thumbsup: [] });
    await react(ann, sent.id, { '🎉': [] });
    expect((await getMessage(ann, sent.id)).reactions).toEqual([{ thumbsup: ['ann'] }]);
  });

  test('treats the caller’s username as the caller’s id, unless it is the id of a contact who has added the reaction', async () => {
    expect((await react(bob, sent.id, { ok: ['bob.name'] })).reactions).toEqual([{ ok: ['bob'] }]);
    const impostor = { ...ann, username: 'bob' };
    expect((await react(impostor, sent.id, { ok: ['bob'] })).reactions).toEqual([{ ok: ['bob'] }]);
    expect((await react(impostor, sent.id, { no: ['bob'] })).reactions).toEqual([
      { no: ['ann'] },
      { ok: ['bob'] },
    ]);
  });

  test('on behalf of another contact is rejected, and changes nothing', async () => {
    await react(ann, sent.id, { ok: ['ann'] });
    const body = { reactions: { fine: ['bob'], ok: ['eve'] } };
    expect(await refused(updateMessage, { as: bob, path: { message_id: sent.id }, body })).toEqual(
      notAllowedError(
        "You can only react for yourself: the list of 'ok' contains a contact who has not reacted.",
        'reactions',
      ),
    );
    expect((await getMessage(bob, sent.id)).reactions).toEqual([{ ok: ['ann'] }]);
  });

  test.each([
    ...['toString', 'a.b', '#1', ':x', '0', 'with space', '100%', '👩‍👩‍👧‍👦', 'אישור\u200f'],
    ...['🎉'.repeat(64), 'x'.repeat(64)],
  ])('accepts the name %s, in JSON and in a form', async (name) => {
    const path = { message_id: sent.id };
    expect((await react(bob, sent.id, { [name]: ['bob'] })).reactions).toEqual([
      { [name]: ['bob'] },
    ]);
    const body = new URLSearchParams([
      [`reactions[${name}][]`, 'ann'],
      [`reactions[${name}][]`, 'bob'],
    ]);
    const { body: reply } = await request(updateMessage, {
      as: ann,
      path,
      headers: form,
      body: `${body}`,
    });
    expect(reply).toMatchObject({ reactions: [{ [name]: ['ann', 'bob'] }] });
    const empty = new URLSearchParams([[`reactions[${name}][]`, '']]);
    const { body: left } = await request(updateMessage, {
      as: ann,
      path,
      headers: form,
      body: `${empty}`,
    });
    expect(left).toMatchObject({ reactions: [{ [name]: ['bob'] }] });
  });

  test('accepts a form with indexed maps and thirty values for one reaction', async () => {
    const path = { message_id: sent.id };
    const reactors = Array.from({ length: 30 }, (_, n): [string, string] => [
      'reactions[0][ok][]',
      n === 0 ? 'bob' : 'bob.name',
    ]);
    const body = `${new URLSearchParams(reactors)}&reactions[1][fine][]=bob`;
    const { body: reply } = await request(updateMessage, { as: bob, path, headers: form, body });
    expect(reply).toMatchObject({ reactions: [{ fine: ['bob'] }, { ok: ['bob'] }] });
  });

  test.each<[string, unknown, string?]>([
    ['a name of 65 characters', { ['x'.repeat(65)]: ['bob'] }],
    [
      'a name of more than 64 characters after NFC normalization',
      { ['\u{1d160}'.repeat(22)]: ['bob'] },
    ],
    ['a line break in a name', { 'a\nb': ['bob'] }],
    ['a name without visible characters', { '\u200b\u200d': ['bob'] }],
    ['the removal of a name without visible characters', { '\u2800': [] }],
    ['the name of a JavaScript built-in', { constructor: ['bob'] }, 'body_malformed'],
    [
      'the name of another JavaScript built-in',
      JSON.parse('{"__proto__":["bob"]}'),
      'body_malformed',
    ],
    ['null as reactions', null],
  ])('with %s is rejected', async (_, reactions, code = 'parameter_invalid') => {
    const path = { message_id: sent.id };
    const error = await refused(updateMessage, { as: bob, path, body: { reactions } });
    expect(error).toMatchObject({ status: 400, code });
    expect((await getMessage(bob, sent.id)).reactions).toEqual([]);
  });

  test.each([
    ...['reactions[ok][]=bob&reactions[a%5Bb%5D][]=bob', 'reactions[][ok][]=bob'],
    ...['reactions[]=bob', 'reactions[%00][]=bob'],
  ])('with the form %s is rejected, and changes nothing', async (body) => {
    const path = { message_id: sent.id };
    const call = { as: bob, path, headers: form, body };
    expect(await refused(updateMessage, call)).toMatchObject({ status: 400 });
    expect((await getMessage(bob, sent.id)).reactions).toEqual([]);
  });

  test('treats composed and decomposed forms of a name as equal', async () => {
    const [composed, decomposed] = ['é', 'e\u0301'];
    expect((await react(bob, sent.id, { [decomposed]: ['bob'] })).reactions).toEqual([
      { [composed]: ['bob'] },
    ]);
    const both = { [composed]: ['bob'], [decomposed]: ['ann'] };
    expect((await react(ann, sent.id, both)).reactions).toEqual([{ [composed]: ['ann', 'bob'] }]);
    await react(bob, sent.id, { [composed]: [] });
    const none = [{ [decomposed]: [] }, { [composed]: [] }];
    expect((await react(ann, sent.id, none)).reactions).toEqual([]);
    const longest = decomposed.repeat(64);
    expect((await react(bob, sent.id, { [longest]: ['bob'] })).reactions).toEqual([
      { [composed.repeat(64)]: ['bob'] },
    ]);
  });

  test('allows at most fifty reaction names on a message', async () => {
    const named = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`r${from + n}`, ['bob']]));
    await react(bob, sent.id, named(0, 30));
    await react(bob, sent.id, named(30, 20));
    const body = { reactions: named(50, 1) };
    expect(
      await refused(updateMessage, { as: bob, path: { message_id: sent.id }, body }),
    ).toMatchObject({
      status: 400,
      param: 'reactions',
    });
    expect(await react(ann, sent.id, { r7: ['ann', 'bob'] })).toMatchObject({
      reactions: expect.arrayContaining([{ r7: ['ann', 'bob'] }]),
    });
    const stays = { reactions: { r7: [], r50: ['bob'] } };
    expect(
      await refused(updateMessage, { as: bob, path: { message_id: sent.id }, body: stays }),
    ).toMatchObject({ status: 400, param: 'reactions' });
    await react(bob, sent.id, { r0: [], r50: ['bob'] });
    expect((await getMessage(bob, sent.id)).reactions).toHaveLength(50);
  });

  test('accepts up to a hundred names in a request, so that one request can replace all fifty names', async () => {
    const named = (prefix: string, count: number, reactors: string[]) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, reactors]));
    const tooMany = { reactions: named('a', 100, ['bob']) };
    expect(
      await refused(updateMessage, { as: bob, path: { message_id: sent.id }, body: tooMany }),
    ).toMatchObject({ status: 400, param: 'reactions', message: expect.stringContaining('50') });
    await react(bob, sent.id, named('a', 50, ['bob']));
    await react(bob, sent.id, { ...named('a', 50, []), ...named('b', 50, ['bob']) });
    const { reactions } = await getMessage(bob, sent.id);
    expect(Object.assign({}, ...reactions)).toEqual(named('b', 50, ['bob']));
  });
});
