import { toAssignment, withIncrement } from '../../calls/expressions.ts';
import type { Step } from '../../calls/run-steps.ts';
import { settingsKey } from '../../keys/keys.ts';
import type { ConversationView } from '../items/conversation-item.ts';
import { areFlagsEqual, toFlagAttributes } from '../items/flags.ts';
import type { Settings } from '../items/settings.ts';
import { toSettingsCondition } from './unchanged-conditions.ts';

/**
 * Returns the steps that change settings, or none if nothing changes. The steps fail if the same
 * settings have changed since the read.
 */
export function settingsSteps(
  { conversation, settings }: ConversationView,
  contactId: string,
  after: Settings,
  matchWholeReply: boolean,
): Step[] {
  const isFlagged = !areFlagsEqual(settings, after);
  const hasNewTime = settings.last_opened_at !== after.last_opened_at;
  const isOpened = hasNewTime || settings.read_place !== after.read_place;
  if (!isFlagged && !isOpened) return [];
  const { last_opened_at, read_place, max_read_sequence } = after;
  const attributes = {
    ...(isFlagged && {
      ...toFlagAttributes({ conversation, settings: after }, contactId),
      version: (settings.version ?? 0) + 1,
    }),
    // Marking messages as unread does not write the opening time, because a concurrent request that
    // lists messages may have changed it.
    ...(hasNewTime && { last_opened_at }),
    ...(isOpened && { read_place }),
    ...(settings.max_read_sequence !== max_read_sequence && { max_read_sequence }),
  };
  const comparedAttributes = [
    ...(isFlagged ? (['version'] as const) : []),
    ...(isOpened ? (['read_place'] as const) : []),
  ];
  const unchanged = toSettingsCondition(settings, comparedAttributes, matchWholeReply);
  const assigned = toAssignment(attributes, unchanged);
  const expression = isOpened ? withIncrement('openings', assigned) : assigned;
  return [{ write: { update: { Key: settingsKey(conversation.id, contactId), ...expression } } }];
}
