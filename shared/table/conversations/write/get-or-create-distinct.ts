import * as v from 'valibot';
import type { Caller } from '../../../caller.ts';
import { clock } from '../../../clock.ts';
import { ApiError } from '../../../errors.ts';
import { newConversationId } from '../../../ids.ts';
import { getItem, type Write } from '../../calls/access.ts';
import { isConflict } from '../../calls/client.ts';
import { exists } from '../../calls/expressions.ts';
import { conversationKey, distinctKey } from '../../keys/keys.ts';
import {
  type ConversationView,
  getConversation,
  newConversation,
  toStoredConversation,
} from '../items/conversation-item.ts';
import { notDeletedCondition } from '../items/conversation-tombstone.ts';
import { findDirectConversationIds } from '../query/find-by-contact.ts';

/** What is to be the one conversation of two contacts. */
export interface DistinctConversation {
  view: ConversationView;
  /** It was there already. */
  isFound: boolean;
  /** What makes it that; none where it is. They are to be made together. */
  writes: Write[];
}

const maxAttempts = 10;
/** Of so many of the oldest it is asked whether one of them is there. */
const maxCandidates = 25;

const DistinctRecord = v.object({ conversation_id: v.string() });

/**
 * Gives the one conversation of the caller and a contact, which may be the caller: that which is noted for the pair; else
 * the oldest direct one that the two have, which is noted from then on; else a new one. Whoever of the two asks, and however
 * many at once: the note is one item, changed on condition that it is as it was read, in one transaction with what it is
 * about. `commit` makes that, and gives whether it has. Throws `unavailable` where others keep changing it meanwhile.
 */
export async function getOrCreateDistinct(
  caller: Caller,
  contactId: string,
  commit: (distinct: DistinctConversation) => Promise<boolean>,
): Promise<DistinctConversation> {
  for (let attempt = 1; ; attempt++) {
    const distinct = await planDistinct(caller, contactId);
    const done = await commit(distinct).catch((error) => {
      // Somebody asks for the same at this moment: then there is one now.
      if (attempt < maxAttempts && isConcurrentConflict(error)) return false;
      throw error;
    });
    if (done) return distinct;
    if (attempt === maxAttempts) throw new ApiError('unavailable');
  }
}

const isConcurrentConflict = (error: unknown) =>
  error instanceof ApiError && getCauses(error).some(isConflict);

const getCauses = ({ cause }: ApiError): unknown[] =>
  cause instanceof ApiError ? getCauses(cause) : [cause];

async function planDistinct(caller: Caller, contactId: string): Promise<DistinctConversation> {
  const key = distinctKey(caller.id, contactId);
  const item = await getItem(key);
  const storedId = item && v.parse(DistinctRecord, item).conversation_id;
  const known = storedId && (await getConversation(storedId, caller));
  if (known) return { view: known, isFound: true, writes: [] };

  const toRecordWrite = (id: string): Write => ({
    update: {
      Key: key,
      UpdateExpression: 'SET conversation_id = :id',
      // What it names is deleted, or it has been forgotten by now.
      ConditionExpression: 'attribute_not_exists(conversation_id) OR conversation_id = :noted',
      ExpressionAttributeValues: { ':id': id, ':noted': storedId ?? '' },
    },
  });
  const oldestView = await findOldest(caller, contactId);
  if (oldestView) {
    const { id } = oldestView.conversation;
    return {
      view: oldestView,
      isFound: true,
      writes: [toRecordWrite(id), toPairKeyWrite(id, key.pk)],
    };
  }
  const id = newConversationId(clock.now());
  const conversation = newConversation(id, caller.id, { contact_id: contactId });
  const put = { ...toStoredConversation(conversation), distinct_pair: key.pk };
  return {
    view: { conversation, settings: {} },
    isFound: false,
    writes: [toRecordWrite(id), { put }],
  };
}

/** The conversation keeps where it is noted, also as a tombstone: so that the note goes with it. */
const toPairKeyWrite = (id: string, pair: string): Write => ({
  update: {
    Key: conversationKey(id),
    UpdateExpression: 'SET distinct_pair = :pair',
    ConditionExpression: `${exists} AND ${notDeletedCondition}`,
    ExpressionAttributeValues: { ':pair': pair },
  },
});

/** Of those that were made without being asked for one alone; undefined if there is none. */
async function findOldest(
  caller: Caller,
  contactId: string,
): Promise<ConversationView | undefined> {
  const wanted = { limit: maxCandidates, oldest: true };
  for (const id of await findDirectConversationIds(caller.id, contactId, wanted)) {
    // The index may be a moment behind.
    const view = await getConversation(id, caller);
    if (view) return view;
  }
  return undefined;
}
