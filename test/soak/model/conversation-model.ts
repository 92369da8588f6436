import type {
  Conversation,
  CreateConversation,
} from '../../../shared/contract/resources/conversation.ts';
import { conversationCreatedAt } from '../../../shared/ids.ts';
import { createRanges } from './id-ranges.ts';
import type { ConversationModel, SettingsModel } from './model-types.ts';
import { createRegister } from './register.ts';

export function createConversationModel(
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
    knownSince: known,
    deleted: createRegister(false),
    pin: createRegister<string | null>(null),
    settings: new Map(),
    log: [],
    sends: new Map(),
    completeRanges: createRanges(),
    readers: new Map(),
    readReports: [],
    activity: { earliest: createdAt, latest: createdAt },
    sending: { inFlight: 0, startOrder: -1, ended: -1 },
    events: [],
  };
}

export function getSettings({ settings }: ConversationModel, caller: string): SettingsModel {
  const found = settings.get(caller);
  if (found) return found;
  const created: SettingsModel = {
    is_pinned: createRegister(false),
    is_muted: createRegister(false),
    archived_at: createRegister<number | null>(null),
    opened: { firstStart: Number.POSITIVE_INFINITY },
    listedUpTo: [],
  };
  settings.set(caller, created);
  return created;
}

const maxEvents = 40;

export function recordEvent({ events }: ConversationModel, event: string): void {
  events.push(event);
  if (events.length > maxEvents) events.shift();
}
