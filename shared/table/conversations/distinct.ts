import * as v from 'valibot';
import type { Caller } from '../../caller.ts';
import { clock } from '../../clock.ts';
import { ApiError } from '../../errors.ts';
import { newConversationId } from '../../ids.ts';
import { getItem, type Write } from '../calls/access.ts';
import { isConflict } from '../calls/client.ts';
import { exists } from '../calls/expressions.ts';
import { conversationKey, distinctKey } from '../keys/keys.ts';
import { getConversation, newConversation, storedConversation, type View } from './items.ts';
import { conversationsOfPair } from './pairs.ts';
import { isNotDeleted } from './tombstone.ts';

/** What is to be the one conversation of two contacts. */
export interface Distinct {
  view: View;
  /** It was there already. */
  isFound: boolean;
  /** What makes it that; none where it is. They are to be made together. */
  writes: Write[];
}

const mostTries = 10;
/** Of so many of the oldest it is asked whether one of them is there. */
const mostOldest = 25;

const Noted = v.object({ conversation_id: v.string() });

/**
 * Gives the one conversation of the caller and a contact, which may be the caller: that which is noted for the pair; else
 * the oldest direct one that the two have, which is noted from then on; else a new one. Whoever of the two asks, and however
 * many at once: the note is one item, changed on condition that it is as it was read, in one transaction with what it is
 * about. `commit` makes that, and gives whether it has. Throws `unavailable` where others keep changing it meanwhile.
 */
export async function theOneConversation(
  caller: Caller,
  contactId: string,
  commit: (distinct: Distinct) => Promise<boolean>,
): Promise<Distinct> {
  for (let tries = 1; ; tries++) {
    const distinct = await distinctOf(caller, contactId);
    const done = await commit(distinct).catch((error) => {
      // Somebody asks for the same at this moment: then there is one now.
      if (tries < mostTries && isOfOthers(error)) return false;
      throw error;
    });
    if (done) return distinct;
    if (tries === mostTries) throw new ApiError('unavailable');
  }
}

const isOfOthers = (error: unknown) => error instanceof ApiError && causes(error).some(isConflict);

const causes = ({ cause }: ApiError): unknown[] =>
  cause instanceof ApiError ? causes(cause) : [cause];

async function distinctOf(caller: Caller, contactId: string): Promise<Distinct> {
  const key = distinctKey(caller.id, contactId);
  const item = await getItem(key);
  const noted = item && v.parse(Noted, item).conversation_id;
  const known = noted && (await getConversation(noted, caller));
  if (known) return { view: known, isFound: true, writes: [] };

  const note = (id: string): Write => ({
    update: {
      Key: key,
      UpdateExpression: 'SET conversation_id = :id',
      // What it names is deleted, or it has been forgotten by now.
      ConditionExpression: 'attribute_not_exists(conversation_id) OR conversation_id = :noted',
      ExpressionAttributeValues: { ':id': id, ':noted': noted ?? '' },
    },
  });
  const older = await oldestOf(caller, contactId);
  if (older) {
    const { id } = older.conversation;
    return { view: older, isFound: true, writes: [note(id), keep(id, key.pk)] };
  }
  const id = newConversationId(clock.now());
  const conversation = newConversation(id, caller.id, { contact_id: contactId });
  const put = { ...storedConversation(conversation), distinct_pair: key.pk };
  return { view: { conversation, settings: {} }, isFound: false, writes: [note(id), { put }] };
}

/** The conversation keeps where it is noted, also as a tombstone: so that the note goes with it. */
const keep = (id: string, pair: string): Write => ({
  update: {
    Key: conversationKey(id),
    UpdateExpression: 'SET distinct_pair = :pair',
    ConditionExpression: `${exists} AND ${isNotDeleted}`,
    ExpressionAttributeValues: { ':pair': pair },
  },
});

/** Of those that were made without being asked for one alone; undefined if there is none. */
async function oldestOf(caller: Caller, contactId: string): Promise<View | undefined> {
  const wanted = { limit: mostOldest, oldest: true };
  for (const id of await conversationsOfPair(caller.id, contactId, wanted)) {
    // The index may be a moment behind.
    const view = await getConversation(id, caller);
    if (view) return view;
  }
  return undefined;
}
