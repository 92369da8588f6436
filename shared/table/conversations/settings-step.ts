import { assigning, counting } from '../calls/expressions.ts';
import type { Step } from '../calls/steps.ts';
import { settingsKey } from '../keys/keys.ts';
import { flagAttributes, haveSameFlags } from './flags.ts';
import type { View } from './items.ts';
import type { Settings } from './settings.ts';
import { settingsUnchanged } from './unchanged.ts';

/**
 * Stores what a change of the participant's settings has changed, while they are in that what they were; as a whole, in all
 * that a reply shows. None if nothing has changed.
 */
export function settingsSteps(
  { conversation, settings }: View,
  contactId: string,
  after: Settings,
  asAWhole: boolean,
): Step[] {
  const isFlagged = !haveSameFlags(settings, after);
  const isOpened =
    settings.last_opened_at !== after.last_opened_at || settings.read_place !== after.read_place;
  if (!isFlagged && !isOpened) return [];
  const { last_opened_at, read_place } = after;
  const attributes = {
    ...(isFlagged && {
      ...flagAttributes({ conversation, settings: after }, contactId),
      version: (settings.version ?? 0) + 1,
    }),
    ...(isOpened && { last_opened_at, read_place }),
  };
  const decidedOn = [
    ...(isFlagged ? (['version'] as const) : []),
    ...(isOpened ? (['read_place'] as const) : []),
  ];
  const unchanged = settingsUnchanged(settings, decidedOn, asAWhole);
  const assigned = assigning(attributes, unchanged);
  const expression = isOpened ? counting('openings', assigned) : assigned;
  return [{ write: { update: { Key: settingsKey(conversation.id, contactId), ...expression } } }];
}
