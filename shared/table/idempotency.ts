import * as v from 'valibot';
import type { Caller } from '../caller.ts';
import { clock, toSeconds } from '../clock.ts';
import { Contact } from '../contract/contact.ts';
import type { Answer } from '../contract/operation.ts';
import { ApiError } from '../errors.ts';
import type { IdempotencyKey } from '../idempotency-key.ts';
import { requestRecordSeconds } from '../lifetimes.ts';
import { getItem, type Item, putNew, transact, type Write, type Written } from './calls/access.ts';
import { isConflict } from './calls/client.ts';
import { idempotencyRecordKey, type Key } from './keys/keys.ts';

/**
 * What the first request with an Idempotency-Key made: with the request itself, enough to give its
 * reply again.
 */
const IdempotencyRecord = v.object({
  fingerprint: v.string(),
  /** The id of the thing that it was answered with. */
  made: v.string(),
  /** Where that was there already, what it was like then. */
  found: v.optional(v.unknown()),
  /** The caller's contact as it was then. */
  contact: Contact,
  expires_at: v.number(),
});
export type IdempotencyRecord = v.InferOutput<typeof IdempotencyRecord>;

/** Puts a new thing where there is none; `contact` is the caller as the reply shows them. */
export type PutNewItem = (
  thing: { id: string; item: Item & Key },
  contact: Promise<Contact>,
) => Promise<Written>;

/** What a request is answered with. */
export interface CreationResult {
  id: string;
  /** What makes it; none where it was there already. */
  writes: Write[];
  /** What it was like, where it was there already. */
  found?: object | undefined;
}

/**
 * Makes all writes or none, the record of the request among them if it has a key; gives whether it
 * has. Where that record is there already, nothing is written, and the request is answered from it.
 */
export type Commit = (done: CreationResult, contact: Promise<Contact>) => Promise<boolean>;

/** How an operation makes something new. */
export interface Creation<Reply> {
  /** Makes one thing, put by `put` or by `commit`, and answers. */
  create(put: PutNewItem, commit: Commit): Promise<Answer<Reply>>;
  /** The same answer, made again from the request and the record. */
  replay(record: IdempotencyRecord): Answer<Reply> | Promise<Answer<Reply>>;
}

/**
 * Answers a request that makes something new. With an Idempotency-Key it makes one thing, however
 * often the request comes: first its record is looked for, and without one the thing is put
 * together with a record, both or neither; where a twin of the request was quicker, what that made
 * is the answer. Throws `idempotency_key_reused` when the key stands for another request, and
 * `request_in_progress` while twins keep getting in each other's way.
 */
export async function withIdempotency<Reply>(
  key: IdempotencyKey | undefined,
  caller: Caller,
  { create, replay }: Creation<Reply>,
): Promise<Answer<Reply>> {
  if (!key) {
    return create(
      ({ item }) => putNew(item),
      async ({ writes }) => writes.length === 0 || (await transact(writes)).done,
    );
  }
  const answerFrom = async (record: IdempotencyRecord) => ({
    ...(await replay(record)),
    replayed: true as const,
  });
  const record = await findRecord(key, caller);
  if (record) return answerFrom(record);
  try {
    return await create(
      async ({ id, item }, contact) => {
        const { done, outcomes } = await commit(
          key,
          caller,
          { id, writes: [{ put: item }] },
          contact,
        );
        return done ? { done, item: undefined } : { done, found: outcomes[0]?.found };
      },
      async (what, contact) => (await commit(key, caller, what, contact)).done,
    );
  } catch (error) {
    if (error instanceof ConcurrentDuplicateError) return answerFrom(error.record);
    // A twin may have been quicker than whoever has deleted meanwhile what the thing belongs to.
    const isNotFound = error instanceof ApiError && error.code === 'not_found';
    const duplicateRecord = isNotFound && (await findRecord(key, caller));
    if (!duplicateRecord) throw error;
    return answerFrom(duplicateRecord);
  }
}

/** A twin of the request has made the thing. */
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

/**
 * Undefined when its time is over (DynamoDB removes it some time later). Throws
 * `idempotency_key_reused`.
 */
function readRecord(key: IdempotencyKey, item: Item): IdempotencyRecord | undefined {
  const record = v.parse(IdempotencyRecord, item);
  if (record.expires_at <= toSeconds(clock.now())) return undefined;
  if (record.fingerprint !== key.fingerprint) {
    throw new ApiError('idempotency_key_reused', { param: 'Idempotency-Key' });
  }
  return record;
}

/**
 * Makes the writes and puts the record, all or nothing. Not done when a condition of the writes
 * fails. Throws `AlreadyMade` where a twin of the request has put its record.
 */
async function commit(
  key: IdempotencyKey,
  caller: Caller,
  { id, writes, found }: CreationResult,
  contact: Promise<Contact>,
): ReturnType<typeof transact> {
  const contactInReply = await contact;
  const now = toSeconds(clock.now());
  const record: IdempotencyRecord = {
    fingerprint: key.fingerprint,
    made: id,
    ...(found && { found }),
    contact: contactInReply,
    expires_at: now + requestRecordSeconds,
  };
  const { done, outcomes } = await transact([
    ...writes,
    { put: { ...toRecordKey(key, caller), ...record }, overExpired: now },
  ]).catch((error) => {
    const conflict = error instanceof ApiError && isConflict(error.cause);
    throw conflict ? new ApiError('request_in_progress', { cause: error }) : error;
  });
  const recordOutcome = outcomes.at(-1);
  if (done || !recordOutcome || recordOutcome.held) return { done, outcomes };
  const duplicateRecord = recordOutcome.found && readRecord(key, recordOutcome.found);
  if (duplicateRecord) throw new ConcurrentDuplicateError(duplicateRecord);
  // Its time was over in this very moment: now it may be replaced.
  return commit(key, caller, { id, writes, found }, contact);
}

const toRecordKey = ({ operation, hash }: IdempotencyKey, caller: Caller): Key =>
  idempotencyRecordKey(caller.id, operation, hash);
