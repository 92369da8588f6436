import type { Conversation, CreateConversation } from '../../../shared/contract/conversation.ts';
import { conversationCreatedAt } from '../../../shared/ids.ts';
import { noRanges, type Ranges } from './id-ranges.ts';
import type { MessageModel, SendModel } from './message-model.ts';
import { type Register, registerOf } from './register.ts';

export interface ConversationModel
  extends Pick<Conversation, 'id' | 'group_id' | 'contact_id' | 'created_at'> {
  created_by: string;
  /** From when on it is certain to exist. */
  known: number;
  gone: Register<boolean>;
  pin: Register<string | null>;
  settings: Map<string, SettingsModel>;
  /** Its messages whose ids are known, in their order, deleted ones too. */
  log: MessageModel[];
  /** All that was sent to it, by the texts, which are all different. */
  sends: Map<string, SendModel>;
  /** Where a listing has shown all that is there: nothing may turn up in it any more. */
  decided: Ranges;
  /** By the begin of a request under way or of unknown outcome that marks messages as read: who reads. */
  readers: Map<number, string>;
  /** Between which milliseconds it was last active, as far as the sends tell that have ended. */
  activity: { least: number; most: number };
  /** How many sends to it are under way, or of unknown outcome; when the latest one began, and when one last ended. */
  sending: { underWay: number; begun: number; ended: number };
  /** What has happened in it, in words. */
  events: string[];
}

/** What a participant has set. */
export interface SettingsModel {
  is_pinned: Register<boolean>;
  is_muted: Register<boolean>;
  archived_at: Register<number | null>;
  /** The listings that count as opening: the first that began, and of those that have ended the latest. */
  opened: { firstBegun: number; latest?: { ended: number; begunAt: number } };
}

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
  };
  settings.set(who, made);
  return made;
}

const mostEvents = 40;

export function note({ events }: ConversationModel, event: string): void {
  events.push(event);
  if (events.length > mostEvents) events.shift();
}
