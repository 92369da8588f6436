import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from '../.local/openapi-typescript.ts';

const { API_URL: baseUrl = '', ANN, BOB } = process.env;
const clientOf = (token: string | undefined) =>
  createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
const [ann, bob] = [clientOf(ANN), clientOf(BOB)];

const contact_id = JSON.parse(atob(BOB?.split('.')[1] ?? '')).sub;
const opened = await ann.POST('/v1/conversations', { body: { contact_id } });
const conversation_id = opened.data?.id ?? '';

const attachments = [{ name: 'menu.pdf', url: 'https://files.example.com/menu.pdf' }];
const sent = await ann.POST('/v1/messages', {
  params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
  body: { conversation_id, message: 'Lunch at noon?', attachments },
});
const message_id = sent.data?.id ?? '';
assert.equal(sent.response.status, 201);

const listed = await bob.GET('/v1/messages', { params: { query: { conversation_id, limit: 10 } } });
const page: components['schemas']['MessagePage'] | undefined = listed.data;
assert.deepEqual(
  page?.data.map(({ id, message, attachments: [first] }) => [id, message, first?.name, first?.url]),
  [[message_id, 'Lunch at noon?', 'menu.pdf', 'https://files.example.com/menu.pdf']],
);

const reacted = await bob.PUT('/v1/messages/{message_id}', {
  params: { path: { message_id } },
  body: { reactions: { thumbsup: [contact_id] } },
});
assert.deepEqual(reacted.data?.reactions, [{ thumbsup: [contact_id] }]);

const seen = await bob.GET('/v1/conversations/{conversation_id}', {
  params: { path: { conversation_id }, query: { 'expand[]': ['contact', 'last_message'] } },
});
assert.equal(seen.data?.last_message?.id, message_id);
assert.equal(seen.data?.contact?.id, seen.data?.contact_id);

const { error } = await bob.DELETE('/v1/messages/{message_id}', {
  params: { path: { message_id } },
});
const code: components['schemas']['ErrorCode'] | undefined = error?.code;
assert.equal(code, 'not_allowed');

const replied = await bob.POST('/v1/messages', {
  params: { query: { 'expand[]': ['reply_to', 'mentions'] } },
  body: { conversation_id, message: 'Gladly', reply_to_id: message_id, mentions: ['ann'] },
});
assert.equal(replied.data?.reply_to?.message, 'Lunch at noon?');
assert.deepEqual(replied.data?.mentions, ['ann']);

const readers = await ann.GET('/v1/conversations/{conversation_id}/readers', {
  params: { path: { conversation_id } },
});
assert.deepEqual(
  readers.data?.data.map((one) => [one.contact_id, one.last_read_message_id]),
  [[contact_id, message_id]],
);

const unread = await bob.PUT('/v1/conversations/{conversation_id}', {
  params: { path: { conversation_id } },
  body: { mark_unread_from: message_id, expand: ['unread_count', 'mentioned'] },
});
assert.deepEqual([unread.data?.unread_count, unread.data?.mentioned], [1, false]);

const report = await bob.POST('/v1/reports', { body: { message_id, reason: 'other' } });
assert.equal(report.response.status, 201);

const businesses = await ann.GET('/v1/business', { params: { query: { format: 'camelCase' } } });
for (const one of businesses.data?.data ?? []) {
  assert.ok('publicId' in one && typeof one.publicId === 'string' && !('public_id' in one));
}

/** Not called. Contains code that the types must reject. */
export async function refused() {
  // @ts-expect-error A conversation requires a contact or a group.
  await ann.POST('/v1/conversations', { body: {} });
  const unnamed = { conversation_id, message: 'Menu', attachments: [{ name: 1 }] };
  // @ts-expect-error An attachment's name is a string.
  await ann.POST('/v1/messages', { body: unnamed });
  // @ts-expect-error A deletion never returns this code.
  return error?.code === 'reactions_full';
}
