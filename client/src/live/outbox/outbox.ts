import { isSignedOut } from '../../api-error.ts';
import type { SendMessageParams } from '../../generated/params.ts';
import type { Message } from '../../generated/types.ts';
import { getRetryDelay } from '../../requests/retry-delay.ts';
import { toError } from '../../to-error.ts';
import { isPermanent } from '../connection/failure-policy.ts';
import { createDeferred } from '../deferred.ts';
import type { LiveContext } from '../live-context.ts';
import { createSerialQueue } from '../serial-queue.ts';
import { isTooOld, type Outbox, type OutboxEntry } from './pending-message.ts';

const maxRetryDelayMs = 60_000;

/** Returns an outbox without messages. */
export const createOutbox = (): Outbox => ({
  entries: [],
  results: new Map(),
  sending: new Set(),
  write: createSerialQueue(),
  prefix: createDeferred(),
  failures: 0,
});

/** Loads the stored messages once the user is known, and sends them. */
export function loadOutbox(live: LiveContext): void {
  const { outbox, options } = live;
  const { storage } = options;
  if (!storage) return;
  const load = async () => {
    const stored = await storage.list(await outbox.prefix.promise);
    for (const value of stored) setEntry(live, JSON.parse(value));
    flushOutbox(live);
  };
  outbox.write(load).catch(() => {});
}

/**
 * Shows a message as pending once it is stored, and sends it. Resolves when it is sent, and rejects
 * if it fails for good or is discarded.
 */
export function enqueue(
  live: LiveContext,
  draft: Omit<OutboxEntry, 'number' | 'status' | 'error' | 'attemptedAt'>,
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
    };
    await putEntry(live, entry);
    setEntry(live, entry);
    sendNext(live, entry.conversation_id);
  };
  outbox.write(store).catch((cause) => result.reject(toError(cause)));
  return result.promise;
}

/** Sends a failed message again, after those that were sent since. */
export async function retryMessage(live: LiveContext, key: string): Promise<void> {
  const entry = findFailed(live, key);
  if (!entry) return;
  const number = getNextNumber(live.outbox);
  await saveEntry(live, { ...entry, number, status: 'pending', error: null, attemptedAt: null });
  sendNext(live, entry.conversation_id);
}

/** Removes a failed message. */
export async function discardMessage(live: LiveContext, key: string): Promise<void> {
  const entry = findFailed(live, key);
  if (entry) await removeEntry(live, entry);
}

/** Sends all pending messages now. */
export function flushOutbox(live: LiveContext): void {
  const { timer, entries } = live.outbox;
  clearTimeout(timer);
  for (const { conversation_id } of entries) sendNext(live, conversation_id);
}

/** Sends the pending messages of a conversation, one after the other. */
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
    // The message stays pending: the network or the API failed.
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

/** Sends one message. Throws if the attempt failed and another one may succeed. */
async function sendEntry(live: LiveContext, entry: OutboxEntry): Promise<void> {
  const { client, signal, outbox, changes } = live;
  const { key, conversation_id, message, attachments, reply_to_id, mentions } = entry;
  if (isTooOld(entry, Date.now()))
    return fail(live, entry, new Error('It is unknown whether the message was sent.'));
  if (entry.attemptedAt === null) await saveEntry(live, { ...entry, attemptedAt: Date.now() });
  const since = changes.getTick();
  const params: SendMessageParams = {
    ...{ conversation_id, message },
    ...(attachments.length > 0 && { attachments: [...attachments] }),
    ...(reply_to_id && { reply_to_id, expand: ['reply_to'] }),
    ...(mentions && { mentions: [...mentions] }),
  };
  try {
    const sent = await client.messages.send(params, { idempotencyKey: key, retries: 0, signal });
    outbox.results.get(key)?.resolve(sent);
    const removal = removeEntry(live, entry);
    live.applyResult(sent, since);
    await removal;
  } catch (cause) {
    const error = toError(cause);
    if (!isPermanent(error)) throw error;
    await fail(live, entry, error);
  }
}

async function fail(live: LiveContext, entry: OutboxEntry, error: Error): Promise<void> {
  live.outbox.results.get(entry.key)?.reject(error);
  await saveEntry(live, { ...entry, status: 'failed', error });
}

const findFailed = ({ outbox }: LiveContext, key: string) =>
  outbox.entries.find((one) => one.key === key && one.status === 'failed');

const getNextNumber = ({ entries }: Outbox) => (entries.at(-1)?.number ?? 0) + 1;

/** Replaces the entry of a key. */
function setEntry(live: LiveContext, entry: OutboxEntry) {
  dropEntry(live, entry);
  const { outbox } = live;
  outbox.entries = [...outbox.entries, entry].sort((a, b) => a.number - b.number);
}

function dropEntry({ outbox, open }: LiveContext, { key, conversation_id }: OutboxEntry) {
  outbox.entries = outbox.entries.filter((one) => one.key !== key);
  open.get(conversation_id)?.store.invalidate();
}

function saveEntry(live: LiveContext, entry: OutboxEntry): Promise<unknown> {
  setEntry(live, entry);
  return live.outbox.write(() => putEntry(live, entry));
}

async function removeEntry(live: LiveContext, entry: OutboxEntry): Promise<void> {
  const { outbox, options } = live;
  const { storage } = options;
  dropEntry(live, entry);
  // Has no effect if the message was sent.
  outbox.results.get(entry.key)?.reject(new Error('The message was discarded.'));
  outbox.results.delete(entry.key);
  if (storage)
    await outbox.write(async () => storage.delete((await outbox.prefix.promise) + entry.key));
}

async function putEntry({ outbox, options }: LiveContext, entry: OutboxEntry): Promise<void> {
  const { storage } = options;
  const { key, error } = entry;
  // The message of an error is not enumerable.
  const stored = { ...entry, error: error && { name: error.name, message: error.message } };
  if (storage) await storage.put((await outbox.prefix.promise) + key, JSON.stringify(stored));
}
