import type { Conversation, CreateConversation } from '../../../shared/contract/conversation.ts';
import { conversationCreatedAt } from '../../../shared/ids.ts';
import { noRanges } from './id-ranges.ts';
import { registerOf } from './register.ts';
import type { ConversationModel, SettingsModel } from './things.ts';

export function newConversationModel(
  { id, created_at }: Pick<Conversation, 'id' | 'created_at'>,
  { contact_id, group_id }: CreateConversation,
  created_by: string,
  known: number,
): ConversationModel {
  const createdAt = conversationCreatedAt(id);
  return {
    id,
    group_id: group_id ?? null,
    contact_id: contact_id ?? null,
    created_at,
    created_by,
    known,
    gone: registerOf(false),
    pin: registerOf<string | null>(null),
    settings: new Map(),
    log: [],
    sends: new Map(),
    decided: noRanges(),
    readers: new Map(),
    saidRead: [],
    activity: { least: createdAt, most: createdAt },
    sending: { underWay: 0, begun: -1, ended: -1 },
    events: [],
  };
}

export function settingsOf({ settings }: ConversationModel, who: string): SettingsModel {
  const found = settings.get(who);
  if (found) return found;
  const made: SettingsModel = {
    is_pinned: registerOf(false),
    is_muted: registerOf(false),
    archived_at: registerOf<number | null>(null),
    opened: { firstBegun: Number.POSITIVE_INFINITY },
    given: [],
  };
  settings.set(who, made);
  return made;
}

const maxEvents = 40;

export function note({ events }: ConversationModel, event: string): void {
  events.push(event);
  if (events.length > maxEvents) events.shift();
}
