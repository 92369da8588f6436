import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  deleteMessage,
  listConversations,
  updateMessage,
} from '../../../shared/contract/operations.ts';
import { usage } from '../../../shared/log/usage.ts';
import { maxInlineBytes } from '../../../shared/table/messages/log/content-item.ts';
import { create, edit, getMessage, list, react, send } from '../../support/handlers/api-calls.ts';
import { ok, request } from '../../support/handlers/invoke-handler.ts';
import { ann, bob } from '../../support/people/callers.ts';
import '../../support/setup/use-table.ts';

const large = 'x'.repeat(maxInlineBytes + 1);
const small = 'x'.repeat(maxInlineBytes);
const huge = 'x'.repeat(9_000);
const attachments = Array.from({ length: 10 }, () => ({ name: 'n'.repeat(4_000) }));

let id: string;
beforeEach(async () => {
  ({ id } = await create(ann, { contact_id: 'bob' }));
});

describe('A message with large content', () => {
  test.each([
    ['text', large, []],
    ['attachments', 'photos', attachments],
    ['text of the maximum inline size', small, []],
    ['both', huge, attachments],
  ])('is returned in full by every operation: %s', async (_, text, files) => {
    const sent = await send(ann, id, text, { attachments: files });
    expect(sent).toMatchObject({ message: text, attachments: files });
    const peeked = await list(bob, id, { peek: 'true', limit: '1' });
    expect(peeked.data).toEqual([sent]);
    const query = { 'expand[]': 'last_message', limit: '1' };
    const inbox = await ok(listConversations, { as: bob, query });
    expect(inbox.data[0]?.last_message).toEqual(sent);
    const read = await getMessage(bob, sent.id);
    expect(read).toEqual({ ...sent, read_at: expect.any(Number) });
    const reacted = await react(bob, sent.id, { ok: ['bob'] });
    expect(reacted).toEqual({ ...read, reactions: [{ ok: ['bob'] }] });
    expect((await list(ann, id, { limit: '1' })).data).toEqual([reacted]);
  });

  test('costs one write unit per read mark and one per reaction', async () => {
    // A person's first write also stores the contact.
    await send(bob, id, 'hello');
    const { id: message } = await send(ann, id, huge, { attachments });
    await getMessage(bob, message);
    expect(usage.write_units).toBe(1);
    await react(bob, message, { ok: ['bob'] });
    expect(usage.write_units).toBe(1);
  });

  test('needs one additional write unit per kilobyte of its content when it is sent', async () => {
    await send(ann, id, huge);
    const plain = usage.write_units;
    await send(ann, id, 'small');
    expect(plain - usage.write_units).toBe(Math.ceil((huge.length + 200) / 1024));
  });

  test.each([
    ['large to large', large, huge],
    ['large to small', large, 'small'],
    ['small to large', 'small', large],
  ])('keeps attachments and reactions if an edit changes its text from %s', async (_, from, to) => {
    const { id: message } = await send(ann, id, from, { attachments: [{ name: 'a' }] });
    await react(bob, message, { ok: ['bob'] });
    const edited = await edit(ann, message, { message: to });
    expect(edited).toMatchObject({
      message: to,
      attachments: [{ name: 'a' }],
      reactions: [{ ok: ['bob'] }],
      updated_at: expect.any(Number),
    });
    expect(await getMessage(ann, message)).toEqual(edited);
    expect(await edit(ann, message, { message: to })).toEqual(edited);
    const bare = await edit(ann, message, { attachments: [] });
    expect(bare).toMatchObject({ message: to, attachments: [] });
  });

  test('gets a new ETag from an edit that changes its content, but not from a repeated edit', async () => {
    const { id: message } = await send(ann, id, large);
    const path = { message_id: message };
    const first = await request(updateMessage, { as: ann, path, body: { message: huge } });
    const same = await request(updateMessage, { as: ann, path, body: { message: huge } });
    expect(same.headers.ETag).toBe(first.headers.ETag);
    const headers = { 'If-Match': first.headers.ETag ?? '' };
    await edit(ann, message, { message: large });
    expect((await request(deleteMessage, { as: ann, path, headers })).status).toBe(412);
  });

  test('can be edited only by its sender', async () => {
    const { id: message } = await send(ann, id, large);
    const call = { as: bob, path: { message_id: message }, body: { message: 'mine' } };
    expect((await request(updateMessage, call)).body).toMatchObject({ code: 'not_allowed' });
  });
});
