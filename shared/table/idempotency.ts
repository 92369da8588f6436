import * as v from 'valibot';
import { ApiError } from '../api-error.ts';
import type { Caller } from '../caller.ts';
import { clock, toSeconds } from '../clock.ts';
import type { OperationResult } from '../contract/operation.ts';
import { Contact } from '../contract/resources/contact.ts';
import type { IdempotencyKey } from '../idempotency-key.ts';
import { idempotencyRecordSeconds } from '../retention.ts';
import { getItem, type Item, putNew, transact, type Write } from './calls/access.ts';
import { isConflict } from './calls/client.ts';
import { idempotencyRecordKey, type Key } from './keys/keys.ts';

/** Result of the first request with a key. Replayed replies are derived from this result. */
const IdempotencyRecord = v.object({
  fingerprint: v.string(),
  /** Id of the created or found resource. */
  made: v.string(),
  /** Other data for a replay, such as a found resource's state at the first request. */
  found: v.optional(v.unknown()),
  /** The caller's contact at the time of the first request. */
  contact: Contact,
  expires_at: v.number(),
});
export type IdempotencyRecord = v.InferOutput<typeof IdempotencyRecord>;

/** A created or found resource, and the writes that store it. */
export interface CreationResult {
  id: string;
  writes: Write[];
  found?: object | undefined;
}

/**
 * Runs all writes or none. If the request has a key, the idempotency record is one of the writes.
 * The record contains `contact`, the caller as shown in the reply. If a condition fails, returns
 * each write's outcome.
 */
export type Commit = (creation: CreationResult, contact: Contact) => ReturnType<typeof transact>;

export interface Creation<Reply> {
  create(commit: Commit): Promise<OperationResult<Reply>>;
  replay(record: IdempotencyRecord): OperationResult<Reply> | Promise<OperationResult<Reply>>;
}

/**
 * Runs a creation once per Idempotency-Key. If a record exists, or a concurrent duplicate writes
 * one first, derives the reply from it. Throws `idempotency_key_reused` or `request_in_progress`.
 */
export async function withIdempotency<Reply>(
  key: IdempotencyKey | undefined,
  caller: Caller,
  { create, replay }: Creation<Reply>,
): Promise<OperationResult<Reply>> {
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

/**
 * Runs the writes in one transaction. Runs a single put without a transaction, which halves its
 * cost.
 */
async function runWrites(writes: Write[]): ReturnType<typeof transact> {
  const [first] = writes;
  if (!first) return { done: true, outcomes: [] };
  if (writes.length > 1 || !('put' in first)) return transact(writes);
  const written = await putNew(first.put, first.replaceIfExpiredAt);
  const found = written.done ? undefined : written.found;
  return { done: written.done, outcomes: [{ isSatisfied: written.done, found }] };
}

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
 * Runs the writes and stores the record. If a duplicate request has stored a record first, throws
 * `ConcurrentDuplicateError`.
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
  if (done || !recordOutcome || recordOutcome.isSatisfied) return { done, outcomes };
  const duplicateRecord = recordOutcome.found && readRecord(key, recordOutcome.found);
  if (duplicateRecord) throw new ConcurrentDuplicateError(duplicateRecord);
  // The record expired after `now` was set, so the next attempt replaces it.
  return commit(key, caller, { id, writes, found }, contact);
}

const toRecordKey = ({ operation, hash }: IdempotencyKey, caller: Caller): Key =>
  idempotencyRecordKey(caller.id, operation, hash);
