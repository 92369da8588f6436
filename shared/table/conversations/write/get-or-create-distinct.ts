import * as v from 'valibot';
import { ApiError } from '../../../api-error.ts';
import type { Caller } from '../../../caller.ts';
import { clock } from '../../../clock.ts';
import { parseBusinessGroup } from '../../../contract/business/business-group.ts';
import { newConversationId } from '../../../ids.ts';
import { getItem, type Write } from '../../calls/access.ts';
import { isConflict } from '../../calls/client.ts';
import { existsCondition } from '../../calls/expressions.ts';
import { announceCreation } from '../../group-heads.ts';
import { conversationKey, distinctBusinessKey, distinctKey, type Key } from '../../keys/keys.ts';
import { toNewAssignment } from '../items/assignment.ts';
import { requireUnblocked } from '../items/blocked.ts';
import {
  type ConversationView,
  newConversation,
  type Participants,
  toStoredConversation,
} from '../items/conversation-item.ts';
import { notDeletedCondition } from '../items/conversation-tombstone.ts';
import { getOwnConversation } from '../items/find-access.ts';
import { findDirectConversationIds, findGroupConversationIds } from '../query/find-by-contact.ts';
import { requireUnblockedPair } from './pair-blocks.ts';

export interface DistinctConversation {
  view: ConversationView;
  isFound: boolean;
  /**
   * The writes that record the conversation and, if it is new, create it; empty if it is already
   * recorded.
   */
  writes: Write[];
}

const maxAttempts = 10;
/** Maximum number of conversations to read in search of one that still exists. */
const maxCandidates = 25;

const DistinctRecord = v.object({ conversation_id: v.string() });

/**
 * Returns the caller's distinct conversation with a contact or a business: the recorded one, else
 * the oldest, else a new one. `commit` writes the record and the conversation in one transaction.
 * The transaction fails if the record has changed, so concurrent requests return the same
 * conversation. Throws `blocked`, `blocking` or `unavailable`.
 */
export async function getOrCreateDistinct(
  caller: Caller,
  participants: Participants,
  commit: (distinct: DistinctConversation) => Promise<boolean>,
): Promise<DistinctConversation> {
  for (let attempt = 1; ; attempt++) {
    const distinct = await planDistinct(caller, participants);
    const done = await commit(distinct).catch((error) => {
      // A concurrent request for the same pair may have created the conversation.
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

async function planDistinct(
  caller: Caller,
  participants: Participants,
): Promise<DistinctConversation> {
  const key = getDistinctKey(caller, participants);
  const item = await getItem(key);
  const storedId = item && v.parse(DistinctRecord, item).conversation_id;
  const known = storedId && (await getOwnConversation(storedId, caller));
  if (known) {
    requireUnblocked(known.conversation, caller);
    return { view: known, isFound: true, writes: [] };
  }

  const toRecordWrite = (id: string): Write => ({
    update: {
      Key: key,
      UpdateExpression: 'SET conversation_id = :id',
      // Requires that the record does not exist or still names the deleted conversation.
      ConditionExpression: 'attribute_not_exists(conversation_id) OR conversation_id = :noted',
      ExpressionAttributeValues: { ':id': id, ':noted': storedId ?? '' },
    },
  });
  const oldestView = await findOldest(caller, participants);
  if (oldestView) {
    requireUnblocked(oldestView.conversation, caller);
    const { id } = oldestView.conversation;
    const writes = [toRecordWrite(id), toPairKeyWrite(id, key.pk)];
    return { view: oldestView, isFound: true, writes };
  }
  await requireUnblockedPair(caller, participants);
  const activity = await announceCreation(participants.group_id);
  const id = newConversationId(clock.now());
  const conversation = { ...newConversation(id, caller.id, participants), ...activity };
  const stored = { ...toStoredConversation(conversation), distinct_pair: key.pk };
  const puts = [stored, ...toNewAssignment(conversation)].map((put) => ({ put }));
  const view = { conversation, settings: {} };
  return { view, isFound: false, writes: [toRecordWrite(id), ...puts] };
}

function getDistinctKey(caller: Caller, { contact_id, group_id }: Participants): Key {
  const publicId = parseBusinessGroup(group_id ?? '');
  return publicId === undefined
    ? distinctKey(caller.id, contact_id ?? '')
    : distinctBusinessKey(caller.id, publicId);
}

/**
 * Returns the write that stores the record's partition in the conversation. The tombstone retains
 * the partition, so that the purge can remove the record.
 */
const toPairKeyWrite = (id: string, pair: string): Write => ({
  update: {
    Key: conversationKey(id),
    UpdateExpression: 'SET distinct_pair = :pair',
    ConditionExpression: `${existsCondition} AND ${notDeletedCondition}`,
    ExpressionAttributeValues: { ':pair': pair },
  },
});

/** Returns the oldest conversation; `undefined` if none of the first `maxCandidates` exists. */
async function findOldest(
  caller: Caller,
  { contact_id, group_id }: Participants,
): Promise<ConversationView | undefined> {
  const wanted = { limit: maxCandidates, oldest: true };
  const ids = group_id
    ? await findGroupConversationIds(group_id, caller.id, wanted)
    : await findDirectConversationIds(caller.id, contact_id ?? '', wanted);
  for (const id of ids) {
    // The index may be stale.
    const view = await getOwnConversation(id, caller);
    if (view) return view;
  }
  return undefined;
}
