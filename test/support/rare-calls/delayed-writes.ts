import { createHash } from 'node:crypto';
import {
  createAttachment,
  createConversation,
  retrieveMessage,
  sendMessage,
} from '../../../shared/contract/operations.ts';
import { call, type Person, send } from '../../acceptance/support/api.ts';

/** A pause that delays writes of messages or scan results, or all calls of the live worker. */
export interface Hold {
  begun: PromiseWithResolvers<void>;
  ended: PromiseWithResolvers<void>;
}

export const createHold = (): Hold => ({
  begun: Promise.withResolvers(),
  ended: Promise.withResolvers(),
});

/** Reads a conversation up to its newest message. */
export type Read = (as: Person, conversationId: string, lastId: string) => Promise<unknown>;

/**
 * Reads a message above a reserved sequence number, so that the read fills the gap with a
 * tombstone. A transaction stores the message, because `hold` delays only `PutItem` calls.
 */
export async function readAboveSlowSender(nora: Person, read: Read, hold: Hold): Promise<void> {
  const { id } = await call(nora, createConversation, { body: { contact_id: 'nora' } });
  const slow = send(nora, sendMessage, { body: { conversation_id: id, message: 'I am slow' } });
  await hold.begun.promise;
  const { id: next } = await call(nora, sendMessage, {
    body: { conversation_id: id, message: 'I am not' },
    headers: { 'Idempotency-Key': crypto.randomUUID() },
  });
  await read(nora, id, next);
  hold.ended.resolve();
  await (await slow).arrayBuffer();
}

/** Sends a file before its scan result is stored. The scan result then changes the message. */
export async function sendBeforeScan(nora: Person, hold: Hold): Promise<void> {
  const { id } = await call(nora, createConversation, { body: { contact_id: 'nora' } });
  const text = 'Not scanned yet';
  const sha256 = createHash('sha256').update(text).digest('base64');
  const { id: file, upload } = await call(nora, createAttachment, {
    body: { conversation_id: id, name: 'a.txt', type: 'text/plain', size: text.length, sha256 },
  });
  const { method, url, headers } = upload;
  const uploading = fetch(url, { method, headers, body: text });
  await hold.begun.promise;
  const body = { conversation_id: id, message: '', attachments: [{ id: file }] };
  const { id: message_id } = await call(nora, sendMessage, { body });
  hold.ended.resolve();
  await uploading;
  const { attachments } = await call(nora, retrieveMessage, { path: { message_id } });
  const [shown] = attachments;
  if (shown?.status !== 'clean')
    throw new Error(`The file's status is ${shown?.status}, not clean.`);
}
