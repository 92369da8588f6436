import * as v from 'valibot';
import { toSeconds } from '../../clock.ts';
import { lookUpItems } from '../calls/access.ts';
import { ConversationItem } from '../conversations/items/conversation-item.ts';
import { isDeleted } from '../conversations/items/conversation-tombstone.ts';
import {
  getOwnVersion,
  getShownReadSequence,
  parseSettings,
} from '../conversations/items/settings.ts';
import { contactKey, conversationKey, settingsKey } from '../keys/keys.ts';
import { findMessageIds } from '../messages/query/find-message-ids.ts';
import { parsePersonSettings } from '../person-settings.ts';
import type { EventState } from './feed-entry.ts';

/** One contact's opening of a direct conversation, reported to the other contact. */
export interface Opening {
  conversationId: string;
  readerId: string;
  recipientId: string;
}

type OpenedState = Required<Pick<EventState, 'version' | 'opened'>>;

/**
 * Returns a lookup of the latest openings. The lookup returns `undefined` if either contact hides
 * read receipts, the recipient blocks the reader, the conversation is deleted, or the stage
 * disables read receipts. Makes one call per 25 openings, plus the calls of `findMessageIds`.
 */
export async function readOpenings(
  openings: readonly Opening[],
): Promise<(opening: Opening) => OpenedState | undefined> {
  if (process.env.READ_RECEIPTS === 'off') return () => undefined;
  const findItem = await lookUpItems(openings.flatMap(toKeys));
  const isHiding = (id: string) =>
    !parsePersonSettings(findItem(contactKey(id))).share_read_receipts;
  const readSettings = ({ conversationId, readerId, recipientId }: Opening) => {
    const item = findItem(conversationKey(conversationId));
    if (!item || isDeleted(item) || isHiding(readerId) || isHiding(recipientId)) return undefined;
    if (v.parse(ConversationItem, item).blocked_by?.has(recipientId)) return undefined;
    return parseSettings(findItem(settingsKey(conversationId, readerId)));
  };
  const toPosition = (opening: Opening) => {
    const settings = readSettings(opening);
    const sequence = settings ? getShownReadSequence(settings) : 0;
    return { conversationId: opening.conversationId, sequence };
  };
  const findId = await findMessageIds(
    openings.map(toPosition).filter(({ sequence }) => sequence > 0),
  );
  return (opening) => {
    const settings = readSettings(opening);
    if (settings?.last_opened_at === undefined) return undefined;
    const { conversationId: conversation_id, readerId: contact_id } = opening;
    return {
      version: getOwnVersion(settings),
      opened: {
        id: `${conversation_id}-${contact_id}`,
        conversation_id,
        contact_id,
        last_read_message_id: findId(toPosition(opening)) ?? null,
        last_opened_at: toSeconds(settings.last_opened_at),
      },
    };
  };
}

const toKeys = ({ conversationId, readerId, recipientId }: Opening) => [
  conversationKey(conversationId),
  settingsKey(conversationId, readerId),
  contactKey(readerId),
  contactKey(recipientId),
];
