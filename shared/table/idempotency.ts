import * as v from 'valibot';
import type { Caller } from '../caller.ts';
import { clock, toSeconds } from '../clock.ts';
import { Contact } from '../contract/contact.ts';
import { ApiError } from '../errors.ts';
import type { Once } from '../once.ts';
import { getItem, type Item, transact, type Write } from './calls/access.ts';
import { isConflict } from './calls/client.ts';
import { idempotencyKey, type Key } from './keys/keys.ts';

const recordLivesSeconds = 24 * 60 * 60;

/** What the first request with an Idempotency-Key made: with the request itself, enough to give its reply again. */
export const FirstReply = v.object({
  fingerprint: v.string(),
  /** The id of the new thing. */
  made: v.string(),
  /** The caller's contact as it was then. */
  contact: Contact,
  expires_at: v.number(),
});
export type FirstReply = v.InferOutput<typeof FirstReply>;

/** Makes sure that a request with an Idempotency-Key makes one thing, however often it comes. */
export interface Guard {
  once: Once;
  /** The caller as the first reply shows them. */
  contact: Promise<Contact>;
}

/** What an earlier request of the caller with the same key made, if there was one within a day. */
export async function findFirst(
  once: Once | undefined,
  caller: Caller,
): Promise<FirstReply | undefined> {
  if (!once) return undefined;
  const item = await getItem(idempotencyKey(caller.id, once.operation, once.key));
  return item && sameRequest(once, item);
}

/**
 * Reads the record; undefined when its time is over (DynamoDB removes it some time later). Throws
 * `idempotency_key_reused` when the key stands for another request.
 */
function sameRequest(once: Once, item: Item): FirstReply | undefined {
  const first = v.parse(FirstReply, item);
  if (first.expires_at <= toSeconds(clock.now())) return undefined;
  if (first.fingerprint !== once.fingerprint) {
    throw new ApiError('idempotency_key_reused', { param: 'Idempotency-Key' });
  }
  return first;
}

/** The first reply's record, as part of the transaction that makes the new thing. */
const recordOf = (once: Once, caller: Caller, made: string, contact: Contact): Write => {
  const now = toSeconds(clock.now());
  const record: FirstReply = {
    fingerprint: once.fingerprint,
    made,
    contact,
    expires_at: now + recordLivesSeconds,
  };
  const key = idempotencyKey(caller.id, once.operation, once.key);
  return { put: { ...key, ...record }, overExpired: now };
};

/**
 * Makes a new thing of that id together with the record, both or neither. Not done when the item's own condition fails,
 * or when a twin of the request was quicker: then it gives what that made. Throws `request_in_progress` while twins keep
 * getting in each other's way.
 */
export async function makeOnce(
  { once, contact }: Guard,
  caller: Caller,
  made: { id: string; item: Item & Key },
): Promise<{ done: boolean; first?: FirstReply }> {
  const writes = [{ put: made.item }, recordOf(once, caller, made.id, await contact)];
  const { done, outcomes } = await transact(writes).catch((error) => {
    const conflict = error instanceof ApiError && isConflict(error.cause);
    throw conflict ? new ApiError('request_in_progress', { cause: error }) : error;
  });
  const twin = outcomes[1]?.found;
  const first = twin && sameRequest(once, twin);
  return { done, ...(first && { first }) };
}
