import { hasCode, isSignedOut } from '../../api-error.ts';
import type { SendMessageParams } from '../../generated/params.ts';
import type { Message } from '../../generated/types.ts';
import { getRetryDelay } from '../../requests/retry-delay.ts';
import { toError } from '../../to-error.ts';
import { getFileName, getMediaType } from '../../upload/upload-file.ts';
import { isPermanent } from '../connection/failure-policy.ts';
import { createDeferred } from '../deferred.ts';
import type { LiveContext } from '../live-context.ts';
import { createSerialQueue } from '../serial-queue.ts';
import {
  deleteStoredEntry,
  findEntry,
  listEntries,
  putEntry,
  removeEntry,
  saveEntry,
  setEntry,
} from './outbox-entries.ts';
import { isTooOld, type Outbox, type OutboxEntry } from './pending-message.ts';
import { uploadFiles } from './upload-files.ts';

const maxRetryDelayMs = 60_000;

/** Returns an empty outbox. */
export const createOutbox = (): Outbox => ({
  entries: [],
  results: new Map(),
  sending: new Set(),
  uploads: new Map(),
  write: createSerialQueue(),
  prefix: createDeferred(),
  failures: 0,
});

/** Waits until the user is known, loads the stored messages, and sends the pending ones. */
export function loadOutbox(live: LiveContext): void {
  const { outbox, options } = live;
  if (!options.storage) return;
  const load = async () => {
    for (const entry of await listEntries(live)) setEntry(live, entry);
    flushOutbox(live);
  };
  outbox.write(load).catch(() => {});
}

/**
 * Stores a message, shows it as pending, and sends it. Resolves when the message is sent; rejects
 * if the message cannot be stored, fails permanently or is discarded.
 */
export function enqueue(
  live: LiveContext,
  draft: Omit<OutboxEntry, 'number' | 'status' | 'error' | 'attemptedAt' | 'files'>,
  files: readonly Blob[],
): Promise<Message> {
  const { outbox } = live;
  const result = createDeferred<Message>();
  outbox.results.set(draft.key, result);
  const store = async () => {
    const entry: OutboxEntry = {
      ...draft,
      number: getNextNumber(outbox),
      status: 'pending',
      error: null,
      attemptedAt: null,
      files: files.map((file) => ({
        ...{ name: getFileName(file), type: getMediaType(file), size: file.size },
        ...{ loaded: 0, file },
      })),
    };
    await putEntry(live, entry, files);
    setEntry(live, entry);
    sendNext(live, entry.conversation_id);
  };
  outbox.write(store).catch((cause) => result.reject(toError(cause)));
  return result.promise;
}

/** Queues a failed message again, after all other messages. */
export async function retryMessage(live: LiveContext, key: string): Promise<void> {
  const entry = findEntry(live, key);
  if (entry?.status !== 'failed') return;
  const number = getNextNumber(live.outbox);
  await saveEntry(live, { ...entry, number, status: 'pending', error: null, attemptedAt: null });
  sendNext(live, entry.conversation_id);
}

/**
 * Removes a message with the status `failed`, or without an attempt to send it. Has no effect on
 * other messages.
 */
export async function discardMessage(live: LiveContext, key: string): Promise<void> {
  const entry = findEntry(live, key);
  if (!entry || (entry.status === 'pending' && entry.attemptedAt !== null)) return;
  const removal = removeEntry(live, entry);
  live.outbox.uploads.get(key)?.abort();
  await removal;
}

/** Sends all pending messages now. */
export function flushOutbox(live: LiveContext): void {
  const { timer, entries } = live.outbox;
  clearTimeout(timer);
  for (const { conversation_id } of entries) sendNext(live, conversation_id);
}

/**
 * Sends a conversation's pending messages, one at a time. If the network or the API fails,
 * schedules a retry.
 */
async function sendNext(live: LiveContext, conversationId: string): Promise<void> {
  const { outbox, signal } = live;
  const { sending } = outbox;
  const entry = outbox.entries.find(
    (one) => one.conversation_id === conversationId && one.status === 'pending',
  );
  if (!entry || sending.has(conversationId)) return;
  sending.add(conversationId);
  try {
    await sendEntry(live, entry);
    outbox.failures = 0;
  } catch (cause) {
    if (signal.aborted || isSignedOut(cause)) return;
    const delayMs = getRetryDelay(outbox.failures, maxRetryDelayMs, 1000);
    outbox.failures += 1;
    clearTimeout(outbox.timer);
    outbox.timer = setTimeout(() => flushOutbox(live), delayMs);
    return;
  } finally {
    sending.delete(conversationId);
  }
  return sendNext(live, conversationId);
}

/** Sends a message with its files. Shows a permanent failure; throws if a retry may succeed. */
async function sendEntry(live: LiveContext, entry: OutboxEntry): Promise<void> {
  const { key, attemptedAt } = entry;
  if (isTooOld(attemptedAt))
    return fail(live, entry, new Error('It is unknown whether the message was sent.'));
  try {
    // The API requires the same attachment ids in all attempts.
    if (attemptedAt === null) await uploadFiles(live, key);
    const uploaded = findEntry(live, key);
    if (uploaded) await postEntry(live, uploaded);
  } catch (cause) {
    const failed = findEntry(live, key);
    // The user discarded the message during its uploads.
    if (!failed) return;
    const error = toError(cause);
    if (!isPermanent(error) && !hasCode(error, 'not_uploaded')) throw error;
    await fail(live, failed, error);
  }
}

async function postEntry(live: LiveContext, entry: OutboxEntry): Promise<void> {
  const { client, signal, outbox, changes } = live;
  const { key, conversation_id, message, reply_to_id, mentions } = entry;
  // The reply to a retry is the message as first sent, without later changes.
  const since = entry.attemptedAt === null ? changes.getTick() : 0;
  if (entry.attemptedAt === null) await saveEntry(live, { ...entry, attemptedAt: Date.now() });
  const ids = entry.files.map(({ upload }) => ({ id: upload?.id }));
  const attachments = [...entry.attachments, ...ids];
  const params: SendMessageParams = {
    ...{ conversation_id, message },
    ...(attachments.length > 0 && { attachments }),
    ...(reply_to_id && { reply_to_id, expand: ['reply_to'] }),
    ...(mentions && { mentions: [...mentions] }),
  };
  const sent = await client.messages.send(params, { idempotencyKey: key, retries: 0, signal });
  outbox.results.get(key)?.resolve(sent);
  const removal = removeEntry(live, entry);
  live.applyResult(sent, since);
  await removal;
}

/**
 * Shows a message as failed, and rejects its promise. If the API rejected the message's
 * attachments, a retry uploads the files again.
 */
async function fail(live: LiveContext, entry: OutboxEntry, error: Error): Promise<void> {
  live.outbox.results.get(entry.key)?.reject(error);
  const isAttachmentError = 'param' in error && error.param === 'attachments';
  const files = isAttachmentError
    ? entry.files.map((one) => ({ ...one, upload: one.upload && { ...one.upload, startedAt: 0 } }))
    : entry.files;
  const failed: OutboxEntry = { ...entry, files, status: 'failed', error };
  if (!hasCode(error, 'not_found')) return void (await saveEntry(live, failed));
  // The conversation was deleted, or the user has left its group.
  setEntry(live, failed);
  await deleteStoredEntry(live, entry.key);
}

const getNextNumber = ({ entries }: Outbox) => (entries.at(-1)?.number ?? 0) + 1;
