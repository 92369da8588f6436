import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { retrieveMessage } from '../../../shared/contract/operations.ts';
import { create, getMessage, send } from '../../support/handlers/api-calls.ts';
import { invalidError, notFoundError } from '../../support/handlers/expected-errors.ts';
import { ok, refused, request } from '../../support/handlers/invoke-handler.ts';
import { toMissingId } from '../../support/handlers/missing-id.ts';
import { ann, bob, eve, person } from '../../support/people/callers.ts';
import '../../support/setup/use-table.ts';
import { interceptHttp } from '../../support/table/http-hooks.ts';

const Batch = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ Responses: v.record(v.string(), v.array(v.unknown())) }),
);

describe('Retrieving a message', () => {
  test('returns it as sent, with its sender', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const sent = await send(ann, id, 'Hello', { attachments: [{ name: 'a' }] });
    expect(await getMessage(ann, sent.id)).toEqual(sent);
    expect(await getMessage(bob, sent.id)).toEqual({ ...sent, read_at: expect.any(Number) });
  });

  test('succeeds for any order of the items in the table’s reply', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const sent = await send(ann, id, 'Hello');
    await getMessage(ann, sent.id);
    const wire = interceptHttp(async (_, proceed) => {
      const { status, body } = await proceed();
      const { Responses, ...others } = v.parse(Batch, body);
      const reversed = Object.entries(Responses).map(([name, items]) => [name, items.toReversed()]);
      return {
        status,
        body: JSON.stringify({ ...others, Responses: Object.fromEntries(reversed) }),
      };
    });
    const found = await getMessage(ann, sent.id).finally(() => wire.remove());
    expect(found).toEqual(sent);
  });

  test('with peek returns it and leaves it unread', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const sent = await send(ann, id, 'Hello');
    const call = { as: bob, path: { message_id: sent.id } };
    expect(await ok(retrieveMessage, { ...call, query: { peek: 'true' } })).toEqual(sent);
    expect((await getMessage(ann, sent.id)).read_at).toBeNull();
    const read = await ok(retrieveMessage, { ...call, query: { peek: 'false' } });
    expect(read).toEqual({ ...sent, read_at: expect.any(Number) });
    expect(await ok(retrieveMessage, { ...call, query: { peek: 'true' } })).toEqual(read);
  });

  test.each(['', 'yes', '1', 'TRUE', ['true', 'true']])(
    'rejects the peek value %j for any caller',
    async (peek) => {
      const { id } = await create(ann, { contact_id: 'bob' });
      const path = { message_id: (await send(ann, id, 'Hello')).id };
      for (const as of [bob, eve]) {
        expect(await refused(retrieveMessage, { as, path, query: { peek } })).toEqual(
          invalidError('peek', 'must be true or false'),
        );
      }
    },
  );

  test('returns the sender’s current profile', async () => {
    const zoe = person('zoe', { username: 'old' });
    const { id } = await create(zoe, { contact_id: 'bob' });
    const sent = await send(zoe, id, 'Hello');
    await send({ ...zoe, username: 'new', avatar_url: null }, id, 'I have a new name');
    expect((await getMessage(bob, sent.id)).contact).toEqual({
      ...sent.contact,
      username: 'new',
      avatar_url: null,
      last_active_at: expect.any(Number),
    });
  });

  test('returns the same response for a nonexistent and an inaccessible message', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const sent = await send(ann, id, 'Hello');
    const neighbor = sent.id.replace(/.{18}$/, (tail) => tail.replace(/1(?=.{10}$)/, '2'));
    const expected = notFoundError('message_id');
    for (const [as, message_id] of [
      [eve, sent.id],
      [ann, neighbor],
      [ann, toMissingId(sent.id)],
      [ann, 'garbage'],
      [ann, 'x'.repeat(5000)],
      [ann, `${id}#CONVERSATION`],
    ] as const) {
      for (const query of [{}, { peek: 'true' }]) {
        expect(await refused(retrieveMessage, { as, path: { message_id }, query })).toEqual(
          expected,
        );
      }
    }
  });

  test('with If-None-Match returns 304 while the message is unchanged, even if the sender’s profile changes', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const sent = await send(ann, id, 'Hello');
    const call = { as: ann, path: { message_id: sent.id } };
    const { ETag = '' } = (await request(retrieveMessage, call)).headers;
    await send({ ...ann, username: 'renamed' }, id, 'More');
    const again = { ...call, headers: { 'If-None-Match': ETag } };
    expect((await request(retrieveMessage, again)).status).toBe(304);
    await getMessage(bob, sent.id);
    expect((await request(retrieveMessage, again)).status).toBe(200);
  });
});
