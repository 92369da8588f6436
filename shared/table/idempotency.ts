import * as v from 'valibot';
import { ApiError } from '../api-error.ts';
import type { Caller } from '../caller.ts';
import { clock, toSeconds } from '../clock.ts';
import type { Answer } from '../contract/operation.ts';
import { Contact } from '../contract/resources/contact.ts';
import type { IdempotencyKey } from '../idempotency-key.ts';
import { idempotencyRecordSeconds } from '../retention.ts';
import {
  getItem,
  type Item,
  putNew,
  transact,
  type Write,
  type WriteResult,
} from './calls/access.ts';
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

export interface NewItem {
  id: string;
  item: Item & Key;
  replaceIfExpiredAt?: number;
  /** Other writes of the same transaction. */
  writes?: readonly Write[];
  /** What a replay needs beside the request. */
  found?: object | undefined;
}

/** `isRefused`: the condition of one of the other writes failed. */
type PutResult = WriteResult & { isRefused?: boolean };

/**
 * Puts a new item if none exists, or only an expired one; `contact` is the caller as shown in the
 * reply.
 */
export type PutNewItem = (resource: NewItem, contact: Contact) => Promise<PutResult>;

export interface CreationResult {
  id: string;
  writes: Write[];
  found?: object | undefined;
}

/** Runs all writes in one transaction, with the idempotency record, and reports success. */
export type Commit = (done: CreationResult, contact: Contact) => Promise<boolean>;

export interface Creation<Reply> {
  create(put: PutNewItem, commit: Commit): Promise<Answer<Reply>>;
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
  if (!key) {
    return create(
      async ({ item, replaceIfExpiredAt, writes = [] }) =>
        writes.length === 0
          ? putNew(item, replaceIfExpiredAt)
          : toPutResult(await transact([{ put: item }, ...writes]), writes.length),
      async ({ writes }) => writes.length === 0 || (await transact(writes)).done,
    );
  }
  const replayFrom = async (record: IdempotencyRecord) => ({
    ...(await replay(record)),
    replayed: true as const,
  });
  const record = await findRecord(key, caller);
  if (record) return replayFrom(record);
  try {
    return await create(
      async ({ id, item, writes = [], found, ...options }, contact) => {
        const creation = { id, writes: [{ put: item, ...options }, ...writes], found };
        return toPutResult(await commit(key, caller, creation, contact), writes.length);
      },
      async (creation, contact) => (await commit(key, caller, creation, contact)).done,
    );
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

/** Returns the result of a transaction that begins with the put and this many other writes. */
const toPutResult = (
  { done, outcomes }: Awaited<ReturnType<typeof transact>>,
  others: number,
): PutResult =>
  done
    ? { done, item: undefined }
    : {
        done,
        found: outcomes[0]?.found,
        isRefused: outcomes.slice(1, 1 + others).some(({ held }) => !held),
      };

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
