import { clock } from '../../../clock.ts';
import { update } from '../../calls/access.ts';
import { toAssignment, withIncrement } from '../../calls/expressions.ts';
import { notErasedCondition } from '../../erased-contact.ts';
import { settingsKey } from '../../keys/keys.ts';
import type { Settings } from '../items/settings.ts';

/** Minimum milliseconds between recorded openings if there are no new messages. */
const minOpeningInterval = 60_000;

export interface Opening {
  /** Highest sequence number returned; `undefined` if no message was returned. */
  sequence: number | undefined;
  hasNewMessage: boolean;
}

interface OpenedConversation {
  conversation: { id: string; last_message_at?: number | undefined };
  settings: Settings;
}

/**
 * Returns the settings after an opening. If any message is new, even the caller's own, updates the
 * opening time; otherwise, updates it at most once a minute. The opening time is the last message's
 * time or later, and the read position never decreases.
 */
export function withOpening(
  { conversation: { last_message_at = 0 }, settings }: OpenedConversation,
  { sequence = 0, hasNewMessage }: Opening,
): Settings {
  const { last_opened_at, read_place = 0 } = settings;
  const now = clock.now();
  const hasChanges =
    hasNewMessage || sequence > read_place || last_message_at > (last_opened_at ?? 0);
  if (!hasChanges && last_opened_at !== undefined && now - last_opened_at < minOpeningInterval)
    return settings;
  return {
    ...settings,
    last_opened_at: Math.max(now, last_message_at),
    ...(sequence > read_place && { read_place: sequence }),
  };
}

/**
 * Records an opening, unless the participant was erased. If the read position does not advance,
 * records only the opening time, and only if it is later than the stored one.
 */
export async function recordOpening(
  opened: OpenedConversation,
  contactId: string,
  opening: Opening,
): Promise<void> {
  const { conversation, settings } = opened;
  const { last_opened_at, read_place } = withOpening(opened, opening);
  const isAdvance = read_place !== settings.read_place;
  if (!isAdvance && last_opened_at === settings.last_opened_at) return;
  const Key = settingsKey(conversation.id, contactId);
  if (isAdvance) {
    const assignment = toAssignment({ last_opened_at, read_place }, ifAdvances);
    if ((await update({ Key, ...withIncrement('openings', assignment) })).done) return;
  }
  await update({
    Key,
    UpdateExpression: 'SET last_opened_at = :now ADD openings :one',
    ConditionExpression: `(attribute_not_exists(last_opened_at) OR last_opened_at < :now) AND ${notErasedCondition}`,
    ExpressionAttributeValues: { ':now': last_opened_at, ':one': 1 },
  });
}

/** Advances the read position from `from` to `to`, unless another request has changed it. */
export const advanceReadSequence = (
  conversationId: string,
  contactId: string,
  { from, to }: { from: number; to: number },
) => {
  const isStored = 'read_place = :from';
  const isUnchanged = from > 0 ? isStored : `(attribute_not_exists(read_place) OR ${isStored})`;
  const assignment = toAssignment(
    { read_place: to },
    {
      ConditionExpression: `${isUnchanged} AND ${notErasedCondition}`,
      ExpressionAttributeValues: { ':from': from },
    },
  );
  return update({ Key: settingsKey(conversationId, contactId), ...assignment });
};

const ifAdvances = {
  ConditionExpression: `(attribute_not_exists(read_place) OR read_place < :read_place) AND ${notErasedCondition}`,
};
