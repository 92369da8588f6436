import { clock } from '../../../clock.ts';
import { update } from '../../calls/access.ts';
import { assigning, counting } from '../../calls/expressions.ts';
import { settingsKey } from '../../keys/keys.ts';
import type { Settings } from '../items/settings.ts';

const minOpeningInterval = 60_000;

/** What an opening has given the participant. */
export interface Opening {
  /** The highest place given; undefined where it gave no message. */
  sequence: number | undefined;
  /** Something of it was new to everybody. */
  hasNewMessage: boolean;
}

interface OpenedConversation {
  conversation: { id: string; last_message_at?: number | undefined };
  settings: Settings;
}

/**
 * The settings when the participant has opened the conversation now: the time is noted at once when something is new since
 * the last time, and otherwise at most once a minute; then they are as they were. It is not before the last message, whatever
 * this environment's clock says. A place that was given never goes back.
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
 * Notes an opening. Where another device has been given more meanwhile, only the time is written, and that only if it is
 * later: clocks differ.
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
    const expression = counting('openings', assigning({ last_opened_at, read_place }, ifAdvances));
    if ((await update({ Key, ...expression })).done) return;
  }
  await update({
    Key,
    UpdateExpression: 'SET last_opened_at = :now ADD openings :one',
    ConditionExpression: 'attribute_not_exists(last_opened_at) OR last_opened_at < :now',
    ExpressionAttributeValues: { ':now': last_opened_at, ':one': 1 },
  });
}

/** Notes that nothing up to the place is unread to the participant, unless that is known of a higher one. */
export const advanceReadSequence = (
  conversationId: string,
  contactId: string,
  read_place: number,
) =>
  update({ Key: settingsKey(conversationId, contactId), ...assigning({ read_place }, ifAdvances) });

const ifAdvances = {
  ConditionExpression: 'attribute_not_exists(read_place) OR read_place < :read_place',
};
