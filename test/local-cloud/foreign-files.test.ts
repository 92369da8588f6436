import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { AttachmentLink, NewAttachment } from '../../shared/contract/resources/attachment.ts';
import { Message } from '../../shared/contract/resources/message.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';

let cloud: Cloud;
const tokens = new Map<string, string>();
const groupMembers = ['ann', 'mia'];

/** Sends a request. `caller` is a contact id, optionally with a group: `mia+team`. */
async function sendRequest(
  caller: string,
  method: string,
  path: string,
  body?: object,
  key?: string,
) {
  const [id = '', group] = caller.split('+');
  const token = tokens.get(caller) ?? (await cloud.token(id, { groups: group ? [group] : [] }));
  tokens.set(caller, token);
  const response = await fetch(`${cloud.url}/v1/${path}`, {
    method,
    redirect: 'manual',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      ...(key && { 'Idempotency-Key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text || 'null') };
}

const Created = v.object({ id: v.string() });
const createResource = async (caller: string, path: string, body: object) => {
  const reply = await sendRequest(caller, 'POST', path, body);
  if (reply.status !== 201) throw new Error(`${path} ${JSON.stringify(reply.body)}`);
  return v.parse(Created, reply.body).id;
};

const describeFile = (conversation_id: string, text: string) => ({
  ...{ conversation_id, name: 'note.txt', type: 'text/plain', size: Buffer.byteLength(text) },
  sha256: createHash('sha256').update(text).digest('base64'),
});

async function createUpload(caller: string, conversation: string, text = 'Secret') {
  const { body } = await sendRequest(
    caller,
    'POST',
    'attachments',
    describeFile(conversation, text),
  );
  return v.parse(NewAttachment, body);
}

const put = async (
  { url, headers }: { url: string; headers: Record<string, string> },
  body = 'Secret',
) => (await fetch(url, { method: 'PUT', headers, body })).status;

async function upload(caller: string, conversation: string) {
  const created = await createUpload(caller, conversation);
  expect(await put(created.upload)).toBe(200);
  return created.id;
}

const sendFiles = (caller: string, conversation_id: string, ...ids: string[]) =>
  sendRequest(caller, 'POST', 'messages', {
    ...{ conversation_id, message: '' },
    attachments: ids.map((id) => ({ id })),
  });

const download = async (caller: string, id: string) =>
  (await sendRequest(caller, 'GET', `attachments/${id}`)).status;

async function createDirect() {
  const id = await createResource('ann', 'conversations', { contact_id: 'bob' });
  const [sent, unsent] = [await upload('ann', id), await upload('ann', id)];
  const message = v.parse(Message, (await sendFiles('ann', id, sent)).body).id;
  return { id, sent, unsent, message };
}

beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

test('Guessed or altered attachment ids, and ids from another user’s conversation, return 404', async () => {
  const { id, sent } = await createDirect();
  const foreign = await createResource('eve', 'conversations', { contact_id: 'zed' });
  const file = sent.slice(26);
  const last = file.endsWith('0') ? '1' : '0';
  const guesses = [
    sent,
    `${foreign}${file}`,
    `${id}${file.slice(0, -1)}${last}`,
    `${id}${'0'.repeat(26)}`,
    id,
    file,
    sent.toLowerCase(),
    `${sent}0`,
    `${sent}%00`,
    `..%2F${sent}`,
    `${foreign}%2F..%2F${sent}`,
    `%2A`,
    '__proto__',
  ];
  for (const guess of guesses) expect([guess, await download('eve', guess)]).toEqual([guess, 404]);
  for (const guess of guesses.slice(1))
    expect([guess, await download('bob', guess)]).toEqual([guess, 404]);
  expect(await download('bob', sent)).toBe(302);
});

test('Only the uploader can download an unsent file, only participants can download a sent file, and no user can download a file of a deleted message', async () => {
  const { id, sent, unsent, message } = await createDirect();
  expect(
    await Promise.all(['ann', 'bob', 'eve'].map((caller) => download(caller, unsent))),
  ).toEqual([302, 404, 404]);
  expect(await Promise.all(['ann', 'bob', 'eve'].map((caller) => download(caller, sent)))).toEqual([
    302, 302, 404,
  ]);
  await sendRequest('ann', 'PUT', `messages/${message}`, { message: 'Edited' });
  expect(await Promise.all(['bob', 'eve'].map((caller) => download(caller, sent)))).toEqual([
    302, 404,
  ]);
  await sendRequest('bob', 'PUT', 'blocks/ann');
  expect(await Promise.all(['ann', 'bob'].map((caller) => download(caller, sent)))).toEqual([
    302, 302,
  ]);
  expect((await sendRequest('ann', 'POST', 'attachments', describeFile(id, 'x'))).status).toBe(403);
  expect((await sendFiles('ann', id, unsent)).status).toBe(403);
  await sendRequest('bob', 'DELETE', 'blocks/ann');
  await sendRequest('ann', 'DELETE', `messages/${message}`);
  expect(await Promise.all(['ann', 'bob'].map((caller) => download(caller, sent)))).toEqual([
    404, 404,
  ]);
  await sendRequest('ann', 'DELETE', `conversations/${id}`);
  expect(await download('ann', unsent)).toBe(404);
  expect((await sendFiles('ann', id, unsent)).status).toBe(404);
});

test('Former group members can neither download nor send the group’s files, even their own', async () => {
  const [ann, mia] = groupMembers.map((one) => `${one}+team`) as [string, string];
  const id = await createResource(ann, 'conversations', { group_id: 'team' });
  const [sent, own, unsent] = [await upload(ann, id), await upload(mia, id), await upload(mia, id)];
  expect((await sendFiles(ann, id, sent)).status).toBe(201);
  expect((await sendFiles(mia, id, own)).status).toBe(201);
  expect(await download(mia, sent)).toBe(302);
  for (const file of [sent, own, unsent]) expect(await download('mia', file)).toBe(404);
  expect((await sendFiles('mia', id, unsent)).status).toBe(404);
  expect((await sendRequest('mia', 'POST', 'attachments', describeFile(id, 'x'))).status).toBe(404);
});

test('A user can send only their own files, only in the conversation of the upload, and only once', async () => {
  const { id, sent, unsent, message } = await createDirect();
  const foreign = await createResource('eve', 'conversations', { contact_id: 'bob' });
  const other = await createResource('ann', 'conversations', { contact_id: 'eve' });
  const attempts: [string, string, string[]][] = [
    ['eve', foreign, [sent]],
    ['eve', foreign, [unsent]],
    ['eve', foreign, [`${foreign}${unsent.slice(26)}`]],
    ['eve', other, [unsent]],
    ['bob', id, [unsent]],
    ['bob', id, [sent]],
    ['ann', other, [unsent]],
    ['ann', id, [sent]],
    ['ann', id, [unsent, unsent]],
  ];
  for (const [caller, conversation, ids] of attempts) {
    const { status } = await sendFiles(caller, conversation, ...ids);
    expect([caller, ids, status]).toEqual([caller, ids, 400]);
  }
  expect((await sendFiles('eve', id, unsent)).status).toBe(404);
  const own = await createResource('eve', 'messages', {
    conversation_id: foreign,
    message: 'Mine',
  });
  const edit = (attachments: object[], caller = 'eve', to = own) =>
    sendRequest(caller, 'PUT', `messages/${to}`, { attachments });
  expect((await edit([{ id: unsent }])).status).toBe(400);
  expect((await edit([{ id: sent }])).status).toBe(400);
  expect((await edit([{ id: unsent }], 'eve', message)).status).toBe(404);
  expect((await edit([{ id: sent }, { id: unsent }], 'ann', message)).status).toBe(400);
  const link = { name: 'note.txt', url: `/v1/attachments/${sent}` };
  expect((await edit([link])).status).toBe(200);
  expect(await download('eve', sent)).toBe(404);

  const keys = [randomUUID(), randomUUID()];
  const body = { conversation_id: id, message: '', attachments: [{ id: unsent }] };
  const replies = await Promise.all(
    keys.map((key) => sendRequest('ann', 'POST', 'messages', body, key)),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 400]);
});

test('An upload URL permits one upload of the declared file and no other request', async () => {
  const { id } = await createDirect();
  const { upload: target, id: file } = await createUpload('ann', id);
  const { headers, url } = target;
  const without = (name: string) =>
    Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
  const otherKey = url.replace(file.slice(26), `${'0'.repeat(26)}`);
  const otherHash = createHash('sha256').update('Sekret').digest('base64');
  const attempts: [string, Parameters<typeof put>][] = [
    ['other bytes', [target, 'Sekret']],
    ['shorter', [target, 'Secre']],
    ['longer', [target, 'Secret!']],
    ['other type', [{ url, headers: { ...headers, 'content-type': 'text/html' } }]],
    [
      'other checksum',
      [{ url, headers: { ...headers, 'x-amz-checksum-sha256': otherHash } }, 'Sekret'],
    ],
    ['no checksum', [{ url, headers: without('x-amz-checksum-sha256') }]],
    ['no condition', [{ url, headers: without('if-none-match') }]],
    ['no tag', [{ url, headers: without('x-amz-tagging') }]],
    ['another tag', [{ url, headers: { ...headers, 'x-amz-tagging': '' } }]],
    ['an ACL', [{ url, headers: { ...headers, 'x-amz-acl': 'public-read' } }]],
    ['another key', [{ url: otherKey, headers }]],
    [
      'longer validity',
      [{ url: url.replace('X-Amz-Expires=900', 'X-Amz-Expires=90000'), headers }],
    ],
  ];
  for (const [name, parameters] of attempts) {
    const status = await put(...parameters);
    expect([name, status >= 400 && status < 500]).toEqual([name, true]);
  }
  expect(await put(target)).toBe(200);
  expect(await put(target)).toBe(412);
  expect(await put(target, 'Sekret')).toBe(412);
  for (const method of ['GET', 'HEAD', 'DELETE']) {
    expect((await fetch(url, { method, headers })).status).toBe(403);
  }
});

test('A download URL returns its file and permits no other request', async () => {
  const { sent, unsent } = await createDirect();
  const reply = await sendRequest('bob', 'GET', `attachments/${sent}?redirect=false`);
  expect(reply.headers.get('cache-control')).toMatch(/no-store|private/);
  const { url } = v.parse(AttachmentLink, reply.body);
  expect(await (await fetch(url)).text()).toBe('Secret');
  const plain = new URL(url);
  plain.search = '';
  const bucket = new URL('.', new URL('../..', plain)).href;
  const changed = [
    url.replace(sent.slice(26), unsent.slice(26)),
    url.replace('X-Amz-Expires=300', 'X-Amz-Expires=3000'),
    url.replace('octet-stream', 'html'),
    url.replace(/response-content-disposition=[^&]*&/, ''),
    `${url}&tagging=`,
    plain.href,
    `${bucket}?list-type=2`,
  ];
  for (const one of changed) expect([one, (await fetch(one)).status]).toEqual([one, 403]);
  for (const method of ['PUT', 'DELETE', 'HEAD'])
    expect((await fetch(url, { method })).status).toBe(403);
});
