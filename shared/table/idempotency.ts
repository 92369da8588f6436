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

/** Result of the first request with a key. With the request, it is enough to rebuild the reply. */
const IdempotencyRecord = v.object({
  fingerprint: v.string(),
  /** Id of the created or found resource. */
  made: v.string(),
  /** State of the resource at that time, if it existed before. */
  found: v.optional(v.unknown()),
  /** The caller's contact at that time. */
  contact: Contact,
  expires_at: v.number(),
});
export type IdempotencyRecord = v.InferOutput<typeof IdempotencyRecord>;

/** A resource to create or, without writes, one that was found. */
export interface CreationResult {
  id: string;
  writes: Write[];
  /** What a replay needs beside the request. */
  found?: object | undefined;
}

/**
 * Runs all writes, with the idempotency record in one transaction; `contact` is the caller as shown
 * in the reply. Returns the outcome of each write if one failed its condition.
 */
export type Commit = (creation: CreationResult, contact: Contact) => ReturnType<typeof transact>;

export interface Creation<Reply> {
  create(commit: Commit): Promise<Answer<Reply>>;
  replay(record: IdempotencyRecord): Answer<Reply> | Promise<Answer<Reply>>;
}

/**
 * Answers a creating request, once per Idempotency-Key: looks up the record, and otherwise writes
 * resource and record in one transaction. If a concurrent duplicate was first, answers from its
 * record. Throws `idempotency_key_reused` and `request_in_progress`.
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
    // A concurrent duplicate may have succeeded before the conversation was deleted, or used the
    // attachments.
    const isRefused =
      error instanceof ApiError && ['not_found', 'parameter_invalid'].includes(error.code);
    const duplicateRecord = isRefused && (await findRecord(key, caller));
    if (!duplicateRecord) throw error;
    return replayFrom(duplicateRecord);
  }
}

/** Outside a transaction, a put costs half as much. */
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

/** Writes both in one transaction. Throws `ConcurrentDuplicateError` if another was first. */
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
  // The record expired at this moment, so it may be replaced.
  return commit(key, caller, { id, writes, found }, contact);
}

const toRecordKey = ({ operation, hash }: IdempotencyKey, caller: Caller): Key =>
  idempotencyRecordKey(caller.id, operation, hash);
