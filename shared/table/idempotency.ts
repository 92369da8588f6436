import * as v from 'valibot';
import { ApiError } from '../api-error.ts';
import type { Caller } from '../caller.ts';
import { clock, toSeconds } from '../clock.ts';
import type { Answer } from '../contract/operation.ts';
import { Contact } from '../contract/resources/contact.ts';
import type { IdempotencyKey } from '../idempotency-key.ts';
import { idempotencyRecordSeconds } from '../retention.ts';
import { getItem, type Item, putNew, transact, type Write } from './calls/access.ts';
import { isConflict } from './calls/client.ts';
import { idempotencyRecordKey, type Key } from './keys/keys.ts';

/** Result of the first request with a key. Replies to repeated requests are derived from it. */
const IdempotencyRecord = v.object({
  fingerprint: v.string(),
  /** Id of the created or found resource. */
  made: v.string(),
  /** Other data for a replay, such as the state of a found resource at the first request. */
  found: v.optional(v.unknown()),
  /** The caller's contact at the first request. */
  contact: Contact,
  expires_at: v.number(),
});
export type IdempotencyRecord = v.InferOutput<typeof IdempotencyRecord>;

/** A resource to create or, if there are no writes, an existing resource. */
export interface CreationResult {
  id: string;
  writes: Write[];
  /** Data that a replay needs in addition to the request. */
  found?: object | undefined;
}

/**
 * Runs all writes in one transaction. If the request has a key, the transaction includes the
 * idempotency record, which stores `contact`, the caller as shown in the reply. If a condition
 * fails, returns the outcome of each write.
 */
export type Commit = (creation: CreationResult, contact: Contact) => ReturnType<typeof transact>;

export interface Creation<Reply> {
  create(commit: Commit): Promise<Answer<Reply>>;
  replay(record: IdempotencyRecord): Answer<Reply> | Promise<Answer<Reply>>;
}

/**
 * Runs a creating request once per Idempotency-Key. If the key has a record, replays the reply.
 * Otherwise, writes resource and record in one transaction. If a concurrent duplicate was first,
 * replays its reply. Throws `idempotency_key_reused` and `request_in_progress`.
 */
export async function withIdempotency<Reply>(
  key: IdempotencyKey | undefined,
  caller: Caller,
  { create, replay }: Creation<Reply>,
): Promise<Answer<Reply>> {
  if (!key) return create(({ writes }) => runWrites(writes));
  const replayFrom = async (record: IdempotencyRecord) => ({
    ...(await replay(record)),
    replayed: true as const,
  });
  const record = await findRecord(key, caller);
  if (record) return replayFrom(record);
  try {
    return await create((creation, contact) => commit(key, caller, creation, contact));
  } catch (error) {
    if (error instanceof ConcurrentDuplicateError) return replayFrom(error.record);
    // A concurrent duplicate may have used the attachments, or may have succeeded before the
    // conversation was deleted.
    const isRefused =
      error instanceof ApiError && ['not_found', 'parameter_invalid'].includes(error.code);
    const duplicateRecord = isRefused && (await findRecord(key, caller));
    if (!duplicateRecord) throw error;
    return replayFrom(duplicateRecord);
  }
}

/** Runs the writes. A single put runs outside a transaction, which halves its cost. */
async function runWrites(writes: Write[]): ReturnType<typeof transact> {
  const [first] = writes;
  if (!first) return { done: true, outcomes: [] };
  if (writes.length > 1 || !('put' in first)) return transact(writes);
  const written = await putNew(first.put, first.replaceIfExpiredAt);
  const found = written.done ? undefined : written.found;
  return { done: written.done, outcomes: [{ held: written.done, found }] };
}

/** A concurrent duplicate of the request has created the resource. */
class ConcurrentDuplicateError extends Error {
  readonly record: IdempotencyRecord;
  constructor(record: IdempotencyRecord) {
    super();
    this.record = record;
  }
}

async function findRecord(
  key: IdempotencyKey,
  caller: Caller,
): Promise<IdempotencyRecord | undefined> {
  const item = await getItem(toRecordKey(key, caller));
  return item && readRecord(key, item);
}

/** Parses a record; `undefined` if it has expired. Throws `idempotency_key_reused`. */
function readRecord(key: IdempotencyKey, item: Item): IdempotencyRecord | undefined {
  const record = v.parse(IdempotencyRecord, item);
  if (record.expires_at <= toSeconds(clock.now())) return undefined;
  if (record.fingerprint !== key.fingerprint) {
    throw new ApiError('idempotency_key_reused', { param: 'Idempotency-Key' });
  }
  return record;
}

/**
 * Writes resource and record in one transaction. Throws `ConcurrentDuplicateError` if a concurrent
 * duplicate was first.
 */
async function commit(
  key: IdempotencyKey,
  caller: Caller,
  { id, writes, found }: CreationResult,
  contact: Contact,
): ReturnType<typeof transact> {
  const now = toSeconds(clock.now());
  const record: IdempotencyRecord = {
    fingerprint: key.fingerprint,
    made: id,
    ...(found && { found }),
    contact,
    expires_at: now + idempotencyRecordSeconds,
  };
  const { done, outcomes } = await transact([
    ...writes,
    { put: { ...toRecordKey(key, caller), ...record }, replaceIfExpiredAt: now },
  ]).catch((error) => {
    const conflict = error instanceof ApiError && isConflict(error.cause);
    throw conflict ? new ApiError('request_in_progress', { cause: error }) : error;
  });
  const recordOutcome = outcomes.at(-1);
  if (done || !recordOutcome || recordOutcome.held) return { done, outcomes };
  const duplicateRecord = recordOutcome.found && readRecord(key, recordOutcome.found);
  if (duplicateRecord) throw new ConcurrentDuplicateError(duplicateRecord);
  // The record expired after `now` was set, so the next attempt replaces it.
  return commit(key, caller, { id, writes, found }, contact);
}

const toRecordKey = ({ operation, hash }: IdempotencyKey, caller: Caller): Key =>
  idempotencyRecordKey(caller.id, operation, hash);
