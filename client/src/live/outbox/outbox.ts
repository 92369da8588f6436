import { isSignedOut } from '../../api-error.ts';
import type { Client } from '../../client.ts';
import type { Message } from '../../generated/types.ts';
import { getRetryDelay } from '../../retry-delay.ts';
import { toError } from '../../to-error.ts';
import { isPermanent } from '../connection/failure-policy.ts';
import { createDeferred, type Deferred } from '../deferred.ts';
import { createSerialQueue, type SerialQueue } from '../serial-queue.ts';
import type { OutboxStorage } from './outbox-storage.ts';
import { isTooOld, type OutboxEntry } from './pending-message.ts';

const maxRetryDelayMs = 60_000;

export interface OutboxOptions {
  client: Pick<Client, 'messages'>;
  storage: OutboxStorage | undefined;
  signal: AbortSignal;
  onChange(conversationId: string): void;
  /** Called in the same turn in which the entry leaves the outbox. */
  onSent(message: Message, since: number): void;
  /** Returns a tick to pass to `onSent`. */
  getTick(): number;
}

/** Messages to send, one at a time per conversation and in order. */
export interface Outbox {
  readonly options: OutboxOptions;
  /** In the order of sending. */
  entries: readonly OutboxEntry[];
  readonly results: Map<string, Deferred<Message>>;
  /** Conversations with a request in progress. */
  readonly sending: Set<string>;
  /** Writes to the storage, one after the other. */
  readonly write: SerialQueue;
  /** Resolves with the prefix of the user's keys. */
  readonly prefix: Deferred<string>;
  failures: number;
  timer?: ReturnType<typeof setTimeout>;
}

/** Returns an outbox that loads the stored messages once `prefix` is resolved, and sends them. */
export function createOutbox(options: OutboxOptions): Outbox {
  const outbox: Outbox = {
    options,
    entries: [],
    results: new Map(),
    sending: new Set(),
    write: createSerialQueue(),
    prefix: createDeferred(),
    failures: 0,
  };
  const { storage } = options;
  if (storage) {
    const load = async () => {
      const stored = await storage.list(await outbox.prefix.promise);
      for (const value of stored) setEntry(outbox, JSON.parse(value));
      flushOutbox(outbox);
    };
    outbox.write(load).catch(() => {});
  }
  return outbox;
}

/**
 * Shows a message as pending once it is stored, and sends it. Resolves when it is sent, and rejects
 * if it fails for good or is discarded.
 */
export function enqueue(
  outbox: Outbox,
  draft: Pick<OutboxEntry, 'key' | 'conversation_id' | 'message' | 'attachments' | 'afterId'>,
): Promise<Message> {
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
    await putEntry(outbox, entry);
    setEntry(outbox, entry);
    flushConversation(outbox, entry.conversation_id);
  };
  outbox.write(store).catch((cause) => result.reject(toError(cause)));
  return result.promise;
}

/** Sends a failed message again, after those that were sent since. */
export async function retryMessage(outbox: Outbox, key: string): Promise<void> {
  const entry = findEntry(outbox, key);
  if (entry?.status !== 'failed') return;
  const number = getNextNumber(outbox);
  await saveEntry(outbox, { ...entry, number, status: 'pending', error: null, attemptedAt: null });
  flushConversation(outbox, entry.conversation_id);
}

/** Removes a failed message. */
export async function discardMessage(outbox: Outbox, key: string): Promise<void> {
  if (findEntry(outbox, key)?.status === 'failed') await removeEntry(outbox, key);
}

/** Sends all pending messages now. */
export function flushOutbox(outbox: Outbox): void {
  clearTimeout(outbox.timer);
  for (const id of new Set(outbox.entries.map((entry) => entry.conversation_id)))
    flushConversation(outbox, id);
}

async function flushConversation(outbox: Outbox, conversationId: string): Promise<void> {
  const { sending, options } = outbox;
  if (sending.has(conversationId)) return;
  sending.add(conversationId);
  const findNext = () =>
    outbox.entries.find(
      (one) => one.conversation_id === conversationId && one.status === 'pending',
    );
  try {
    for (let entry = findNext(); entry; entry = findNext()) await sendEntry(outbox, entry);
    outbox.failures = 0;
  } catch (cause) {
    // The message stays pending: the network or the API failed.
    if (options.signal.aborted || isSignedOut(cause)) return;
    const delayMs = getRetryDelay(outbox.failures, maxRetryDelayMs, 1000);
    outbox.failures += 1;
    clearTimeout(outbox.timer);
    outbox.timer = setTimeout(() => flushOutbox(outbox), delayMs);
  } finally {
    sending.delete(conversationId);
  }
}

/** Sends one message. Throws if the attempt failed and another one may succeed. */
async function sendEntry(outbox: Outbox, entry: OutboxEntry): Promise<void> {
  const { client, signal, getTick, onSent } = outbox.options;
  const { key, conversation_id, message, attachments } = entry;
  if (isTooOld(entry, Date.now())) {
    return fail(outbox, entry, new Error('It is unknown whether the message was sent.'));
  }
  if (entry.attemptedAt === null) await saveEntry(outbox, { ...entry, attemptedAt: Date.now() });
  const since = getTick();
  const params = {
    conversation_id,
    message,
    ...(attachments[0] && { attachments: [...attachments] }),
  };
  try {
    const sent = await client.messages.send(params, { idempotencyKey: key, retries: 0, signal });
    outbox.results.get(key)?.resolve(sent);
    const removal = removeEntry(outbox, key);
    onSent(sent, since);
    await removal;
  } catch (cause) {
    const error = toError(cause);
    if (!isPermanent(error)) throw error;
    await fail(outbox, entry, error);
  }
}

async function fail(outbox: Outbox, entry: OutboxEntry, error: Error): Promise<void> {
  outbox.results.get(entry.key)?.reject(error);
  await saveEntry(outbox, { ...entry, status: 'failed', error });
}

const findEntry = ({ entries }: Outbox, key: string) => entries.find((one) => one.key === key);

const getNextNumber = ({ entries }: Outbox) => (entries.at(-1)?.number ?? 0) + 1;

function setEntry(outbox: Outbox, entry: OutboxEntry) {
  const others = outbox.entries.filter(({ key }) => key !== entry.key);
  outbox.entries = [...others, entry].sort((a, b) => a.number - b.number);
  outbox.options.onChange(entry.conversation_id);
}

function saveEntry(outbox: Outbox, entry: OutboxEntry): Promise<unknown> {
  setEntry(outbox, entry);
  return outbox.write(() => putEntry(outbox, entry));
}

async function removeEntry(outbox: Outbox, key: string): Promise<void> {
  const { storage, onChange } = outbox.options;
  const entry = findEntry(outbox, key);
  outbox.entries = outbox.entries.filter((one) => one.key !== key);
  // Has no effect if the message was sent.
  outbox.results.get(key)?.reject(new Error('The message was discarded.'));
  outbox.results.delete(key);
  if (entry) onChange(entry.conversation_id);
  if (storage) await outbox.write(async () => storage.delete((await outbox.prefix.promise) + key));
}

async function putEntry({ options, prefix }: Outbox, entry: OutboxEntry): Promise<void> {
  const { key, error } = entry;
  // The message of an error is not enumerable.
  const stored = { ...entry, error: error && { name: error.name, message: error.message } };
  const { storage } = options;
  if (storage) await storage.put((await prefix.promise) + key, JSON.stringify(stored));
}
