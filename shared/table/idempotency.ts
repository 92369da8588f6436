import * as v from 'valibot';
import type { Caller } from '../caller.ts';
import { clock, toSeconds } from '../clock.ts';
import { Contact } from '../contract/contact.ts';
import type { Answer } from '../contract/operation.ts';
import { ApiError } from '../errors.ts';
import type { IdempotencyKey } from '../idempotency-key.ts';
import { getItem, type Item, putNew, transact, type Written } from './calls/access.ts';
import { isConflict } from './calls/client.ts';
import { idempotencyRecordKey, type Key } from './keys/keys.ts';

const recordLivesSeconds = 24 * 60 * 60;

/** What the first request with an Idempotency-Key made: with the request itself, enough to give its reply again. */
const IdempotencyRecord = v.object({
  fingerprint: v.string(),
  /** The id of the new thing. */
  made: v.string(),
  /** The caller's contact as it was then. */
  contact: Contact,
  expires_at: v.number(),
});
export type IdempotencyRecord = v.InferOutput<typeof IdempotencyRecord>;

/** Puts a new thing where there is none; `contact` is the caller as the reply shows them. */
export type PutNewThing = (
  thing: { id: string; item: Item & Key },
  contact: Promise<Contact>,
) => Promise<Written>;

/** How an operation makes something new. */
export interface Creation<Reply> {
  /** Makes one thing, put by `put`, and answers. */
  create(put: PutNewThing): Promise<Answer<Reply>>;
  /** The same answer, made again from the request and the record. */
  replay(record: IdempotencyRecord): Answer<Reply> | Promise<Answer<Reply>>;
}

/**
 * Answers a request that makes something new. With an Idempotency-Key it makes one thing, however often the request
 * comes: first its record is looked for, and without one the thing is put together with a record, both or neither; where
 * a twin of the request was quicker, what that made is the answer. Throws `idempotency_key_reused` when the key stands
 * for another request, and `request_in_progress` while twins keep getting in each other's way.
 */
export async function idempotently<Reply>(
  key: IdempotencyKey | undefined,
  caller: Caller,
  { create, replay }: Creation<Reply>,
): Promise<Answer<Reply>> {
  if (!key) return create(({ item }) => putNew(item));
  const answerFrom = async (record: IdempotencyRecord) => ({
    ...(await replay(record)),
    replayed: true as const,
  });
  const record = await findRecord(key, caller);
  if (record) return answerFrom(record);
  try {
    return await create((thing, contact) => putWithRecord(key, caller, thing, contact));
  } catch (error) {
    if (error instanceof AlreadyMade) return answerFrom(error.record);
    // A twin may have been quicker than whoever has deleted meanwhile what the thing belongs to.
    const isGone = error instanceof ApiError && error.code === 'not_found';
    const twins = isGone && (await findRecord(key, caller));
    if (!twins) throw error;
    return answerFrom(twins);
  }
}

/** A twin of the request has made the thing. */
class AlreadyMade extends Error {
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
  const item = await getItem(keyOf(key, caller));
  return item && readRecord(key, item);
}

/** Undefined when its time is over (DynamoDB removes it some time later). Throws `idempotency_key_reused`. */
function readRecord(key: IdempotencyKey, item: Item): IdempotencyRecord | undefined {
  const record = v.parse(IdempotencyRecord, item);
  if (record.expires_at <= toSeconds(clock.now())) return undefined;
  if (record.fingerprint !== key.fingerprint) {
    throw new ApiError('idempotency_key_reused', { param: 'Idempotency-Key' });
  }
  return record;
}

/** Puts the thing and the record, both or neither. Not done when the thing's own place is taken; throws `AlreadyMade`. */
async function putWithRecord(
  key: IdempotencyKey,
  caller: Caller,
  { id, item }: { id: string; item: Item & Key },
  contact: Promise<Contact>,
): Promise<Written> {
  const asShown = await contact;
  const now = toSeconds(clock.now());
  const record: IdempotencyRecord = {
    fingerprint: key.fingerprint,
    made: id,
    contact: asShown,
    expires_at: now + recordLivesSeconds,
  };
  const { done, outcomes } = await transact([
    { put: item },
    { put: { ...keyOf(key, caller), ...record }, overExpired: now },
  ]).catch((error) => {
    const conflict = error instanceof ApiError && isConflict(error.cause);
    throw conflict ? new ApiError('request_in_progress', { cause: error }) : error;
  });
  if (done) return { done, item: undefined };
  const [place, known] = outcomes;
  if (!known || known.held) return { done: false, found: place?.found };
  const twins = known.found && readRecord(key, known.found);
  if (twins) throw new AlreadyMade(twins);
  // Its time was over in this very moment: now it may be replaced.
  return putWithRecord(key, caller, { id, item }, contact);
}

const keyOf = ({ operation, hash }: IdempotencyKey, caller: Caller): Key =>
  idempotencyRecordKey(caller.id, operation, hash);
