import type { Attachment, Message } from '../../generated/types.ts';
import type { Deferred } from '../deferred.ts';
import type { SerialQueue } from '../serial-queue.ts';

/** A file that the client uploads before it sends the message. */
export interface PendingFile {
  readonly name: string;
  readonly type: string;
  /** Size in bytes. */
  readonly size: number;
  /** Uploaded bytes. */
  readonly loaded: number;
  /** Null if the storage does not have the file. */
  readonly file: Blob | null;
}

/** A message that the API has not confirmed yet. */
export interface PendingMessage {
  /** Idempotency key of the request, fixed before the first attempt. */
  readonly key: string;
  readonly conversation_id: string;
  readonly message: string;
  readonly attachments: readonly Attachment[];
  /** Files that follow `attachments` in the message. */
  readonly files: readonly PendingFile[];
  readonly reply_to_id?: string | undefined;
  readonly mentions?: readonly string[] | undefined;
  /**
   * `pending`: the client sends the message as soon as possible. `failed`: `error` has the reason;
   * call `retry` or `discard`.
   */
  readonly status: 'pending' | 'failed';
  readonly error: Pick<Error, 'name' | 'message'> | null;
  /**
   * Device time of the first attempt to send the message, in milliseconds; null before that. While
   * `attemptedAt` is null, `discard` can cancel a pending message.
   */
  readonly attemptedAt: number | null;
}

export interface OutboxFile extends PendingFile {
  /** Undefined before the first attempt to upload the file. */
  readonly upload?: FileUpload | undefined;
}

export interface FileUpload {
  /** Idempotency key of the attachment. */
  readonly key: string;
  /** Device time of the first attempt, in milliseconds; 0 if the API rejected the attachments. */
  readonly startedAt: number;
  /** Id of the attachment; null until the file is uploaded. */
  readonly id: string | null;
}

export interface OutboxEntry extends PendingMessage {
  /** Position in the order of sending. */
  readonly number: number;
  /**
   * Id of the conversation's newest message when the user sent this one; empty if there was none,
   * null if unknown.
   */
  readonly afterId: string | null;
  readonly files: readonly OutboxFile[];
}

/** Messages to send in order, one at a time per conversation. */
export interface Outbox {
  /** Messages in the order of sending. */
  entries: readonly OutboxEntry[];
  readonly results: Map<string, Deferred<Message>>;
  /** Ids of the conversations with a message that is being uploaded or sent. */
  readonly sending: Set<string>;
  /** Uploads in progress, by the key of their message. */
  readonly uploads: Map<string, AbortController>;
  /** Runs the writes to the storage one at a time. */
  readonly write: SerialQueue;
  /** Resolves with the prefix of the user's keys. */
  readonly prefix: Deferred<string>;
  failures: number;
  timer?: ReturnType<typeof setTimeout>;
}

/**
 * Milliseconds after a first attempt during which the client retries. The API replays its first
 * reply to a key for 24 hours, and deletes an attachment that is not sent within that time.
 */
const maxRetryAgeMs = 20 * 3_600_000;

/** Reports whether an attempt at this device time, in milliseconds, is too old to be retried. */
export const isTooOld = (attemptedAt: number | null): boolean =>
  attemptedAt !== null && Math.abs(Date.now() - attemptedAt) > maxRetryAgeMs;

/**
 * Returns the messages, omitting probable duplicates of pending entries. A push can deliver a sent
 * message before the reply to the send request arrives. Until that reply, the app shows only the
 * pending entry.
 */
export function withoutUnconfirmed(
  messages: readonly Message[],
  entries: readonly OutboxEntry[],
  userId: string | undefined,
): readonly Message[] {
  const hidden = new Set(
    entries.map(
      ({ message, status, afterId, attemptedAt }) =>
        status === 'pending' &&
        attemptedAt !== null &&
        afterId !== null &&
        messages
          .filter((one) => one.id > afterId && one.message === message && one.contact.id === userId)
          .at(-1),
    ),
  );
  return messages.filter((one) => !hidden.has(one));
}
