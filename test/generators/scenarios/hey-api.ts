import assert from 'node:assert/strict';
import { createClient } from '../.local/openapi-ts/client/index.ts';
import type { ErrorCode, Message } from '../.local/openapi-ts/index.ts';
import {
  createBlock,
  createConversation,
  deleteBlock,
  listBlocks,
  listBusinesses,
  listMessages,
  retrieveConversation,
  retrieveSettings,
  sendMessage,
  updateMessage,
  updateSettings,
} from '../.local/openapi-ts/index.ts';

const { API_URL: baseUrl = '', ANN = '', BOB = '' } = process.env;
const clientOf = (token: string) => createClient({ baseUrl, auth: () => token });
const [ann, bob] = [clientOf(ANN), clientOf(BOB)];

const contact_id = JSON.parse(atob(BOB.split('.')[1] ?? '')).sub;
const opened = await createConversation({ client: ann, body: { contact_id }, throwOnError: true });
const conversation_id = opened.data.id;

const { data: sent } = await sendMessage({
  client: ann,
  body: {
    conversation_id,
    message: 'Lunch at noon?',
    attachments: [{ name: 'menu.pdf', size: 1 }],
  },
  throwOnError: true,
});

const { data: page } = await listMessages({
  client: bob,
  query: { conversation_id, limit: 10 },
  throwOnError: true,
});
const messages: Message[] = page.data;
assert.deepEqual(
  messages.map(({ id, message, attachments }) => [id, message, attachments[0]?.name]),
  [[sent.id, 'Lunch at noon?', 'menu.pdf']],
);

const { data: reacted } = await updateMessage({
  client: bob,
  path: { message_id: sent.id },
  body: { reactions: { thumbsup: [contact_id] } },
  throwOnError: true,
});
assert.deepEqual(reacted.reactions, [{ thumbsup: [contact_id] }]);

const { data: seen } = await retrieveConversation({
  client: bob,
  path: { conversation_id },
  query: { 'expand[]': ['contact', 'last_message'] },
  throwOnError: true,
});
assert.deepEqual([seen.last_message?.id, seen.contact?.id], [sent.id, seen.contact_id]);

const other = seen.contact_id ?? '';
await createBlock({ client: bob, path: { contact_id: other }, throwOnError: true });
const { error: refusal } = await sendMessage({
  client: ann,
  body: { conversation_id, message: 'Hello?' },
});
assert.equal(refusal?.code, 'blocked');
const { data: blocks } = await listBlocks({ client: bob, throwOnError: true });
assert.deepEqual(
  blocks.data.map((one) => one.contact_id),
  [other],
);
const photo = [{ name: 'menu.jpg', type: 'image/jpeg' }];
const { error: unsent } = await sendMessage({
  client: bob,
  body: { conversation_id, message: '', attachments: photo },
});
assert.equal(unsent?.code, 'blocking');
await deleteBlock({ client: bob, path: { contact_id: other }, throwOnError: true });

const { data: alone } = await sendMessage({
  client: bob,
  body: { conversation_id, message: '', attachments: photo },
  throwOnError: true,
});
assert.deepEqual([alone.message, alone.attachments[0]?.name], ['', 'menu.jpg']);

for (const share_read_receipts of [false, true]) {
  await updateSettings({ client: bob, body: { share_read_receipts }, throwOnError: true });
  const { data: settings } = await retrieveSettings({ client: bob, throwOnError: true });
  assert.equal(settings.share_read_receipts, share_read_receipts);
}

const { data, error } = await retrieveConversation({
  client: ann,
  path: { conversation_id: 'another' },
});
assert.equal(data, undefined);
const code: ErrorCode | undefined = error?.code;
assert.equal(code, 'not_found');

const { data: businesses } = await listBusinesses({ client: bob, throwOnError: true });
for (const one of businesses.data) {
  assert.ok('public_id' in one && typeof one.public_id === 'string' && !('publicId' in one));
}

/** Not called. Contains code that the types must reject. */
export async function refused() {
  // @ts-expect-error A conversation requires a contact or a group.
  await createConversation({ client: ann, body: { contact_id: null } });
}
