import { createHash } from 'node:crypto';
import { expect } from '@jest/globals';
import {
  createAttachment,
  listMessages,
  retrieveAttachment,
  retrieveMessage,
  sendMessage,
} from '../../../../shared/contract/operations.ts';
import { call } from '../../../acceptance/support/api.ts';
import { createBomb, createPng } from '../../../support/files/test-images.ts';
import type { AbuseRun, Participant } from '../../support/abuse-run.ts';
import { honestCall } from '../../support/honest-call.ts';
import { scenario } from '../../support/scenario.ts';
import { openConversation } from '../../support/seed-history.ts';

interface Shared {
  id: string;
  ann: Participant;
  bob: Participant;
  /** Ids of the messages and of their first files, oldest message first. */
  messages: { id: string; file: string }[];
}

interface SentFile {
  name: string;
  type: string;
  bytes: Buffer;
}

const text = 'Hello';
const note: SentFile = { name: 'a.txt', type: 'text/plain', bytes: Buffer.from(text) };

async function upload(
  as: Participant,
  conversation_id: string,
  { file: { bytes, ...file } = note, isStored = true } = {},
): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('base64');
  const body = { conversation_id, ...file, size: bytes.length, sha256 };
  const { id, upload: target } = await call(as, createAttachment, { body });
  const { method, url, headers } = target;
  if (!isStored) return id;
  expect((await fetch(url, { method, headers, body: new Uint8Array(bytes) })).status).toBe(200);
  return id;
}

/**
 * Creates `unsent` attachments without files, then sends ten messages with `uploads` files each.
 */
async function sendUploads(abuse: AbuseRun, uploads: number, unsent: number): Promise<Shared> {
  const [ann, bob] = await Promise.all([
    abuse.createParticipant('ann'),
    abuse.createParticipant('bob'),
  ]);
  const id = await openConversation(ann, { contact_id: bob.id });
  for (let n = 0; n < unsent; n++) await upload(ann, id, { isStored: false });
  const messages = [];
  for (let n = 0; n < 10; n++) {
    const files: string[] = [];
    for (let more = 0; more < uploads; more++) files.push(await upload(ann, id));
    const attachments = files.map((file) => ({ id: file }));
    const body = { conversation_id: id, message: text, attachments };
    const sent = await call(ann, sendMessage, { body });
    messages.push({ id: sent.id, file: files[0] ?? '' });
  }
  return { id, ann, bob, messages };
}

interface Gallery {
  id: string;
  ann: Participant;
  bob: Participant;
  photo: string;
}

async function showPhoto(abuse: AbuseRun): Promise<Gallery> {
  const ann = await abuse.createParticipant('ann');
  const bob = await abuse.createParticipant('bob');
  const id = await openConversation(ann, { contact_id: bob.id });
  const file = { name: 'a.png', type: 'image/png', bytes: await createPng(800, 600) };
  return { id, ann, bob, photo: await upload(bob, id, { file }) };
}

export const uploads = [
  scenario<Shared>({
    title:
      'A member sends ten files with each message, and creates 300 attachments without uploading files',
    quiet: (abuse) => sendUploads(abuse, 1, 0),
    abused: (abuse) => sendUploads(abuse, 10, abuse.scale(300)),
    honestCalls: ({ id, bob, messages }) => {
      const [first = { id: '', file: '' }] = messages;
      const ids = messages.map((one) => one.id).toReversed();
      return [
        honestCall('list', bob, listMessages, { query: { conversation_id: id } }, ({ data }) => {
          expect(data.map((one) => one.id)).toEqual(ids);
        }),
        honestCall('retrieve', bob, retrieveMessage, { path: { message_id: first.id } }),
        honestCall('download', bob, retrieveAttachment, {
          path: { attachment_id: first.file },
          query: { redirect: 'false' },
        }),
      ];
    },
  }),
  scenario<Gallery>({
    title: 'A member uploads small files that decode to 400 million pixels',
    quiet: showPhoto,
    abused: showPhoto,
    hostileAction: async ({ id, ann }) => {
      const bomb = { name: 'b.png', type: 'image/png', bytes: createBomb(20_000, 20_000) };
      await upload(ann, id, { file: bomb });
    },
    honestCalls: ({ bob, photo }) => [
      honestCall(
        'retrieve a thumbnail',
        bob,
        retrieveAttachment,
        { path: { attachment_id: photo }, query: { redirect: 'false', size: '320' } },
        ({ url }) => expect(url).toContain('/thumbnails/'),
      ),
    ],
  }),
];
