import type { Conversation } from '../../../shared/contract/resources/conversation.ts';
import type { Ranges } from './id-ranges.ts';
import type { Register } from './register.ts';

/** What is known of a conversation: what was set, sent and shown, and when. */
export interface ConversationModel
  extends Pick<Conversation, 'id' | 'group_id' | 'contact_id' | 'created_at'> {
  created_by: string;
  /** From when on it is certain to exist. */
  knownSince: number;
  deleted: Register<boolean>;
  pin: Register<string | null>;
  settings: Map<string, SettingsModel>;
  /** Its messages whose ids are known, in their order, deleted ones too. */
  log: MessageModel[];
  /** All that was sent to it, by the texts, which are all different. */
  sends: Map<string, SendModel>;
  /** Where a listing has shown all that is there: nothing may turn up in it any more. */
  completeRanges: Ranges;
  /** By the begin of a request under way or of unknown outcome that marks messages as read: who reads. */
  readers: Map<number, string>;
  /** What participants have said that they have read. */
  readReports: ReadReport[];
  /** Between which milliseconds it was last active, as far as the sends tell that have ended. */
  activity: { least: number; most: number };
  /** How many sends to it are under way, or of unknown outcome; when the latest one began, and when one last ended. */
  sending: { inFlight: number; startOrder: number; ended: number };
  /** What has happened in it, in words. */
  events: string[];
}

/** All up to a place, of which the newest are marked; and when that was done. */
export interface ReadReport {
  by: string;
  sequence: number;
  /** From this place on all that was there when it was said is marked. */
  markedFrom: number;
  startOrder: number;
  ended: number;
}

/** What a participant has set. */
export interface SettingsModel {
  is_pinned: Register<boolean>;
  is_muted: Register<boolean>;
  archived_at: Register<number | null>;
  /** The listings that count as opening: the first that began, and of those that have ended the latest. */
  opened: { firstBegun: number; latest?: { ended: number; begunAt: number } };
  /** The highest places that listings have given, each higher than the one before, and when these listings had ended. */
  listedUpTo: { sequence: number; ended: number }[];
}

/** Something that was sent, and its message once that is known. */
export interface SendModel {
  text: string;
  by: string;
  /** As JSON. */
  attachments: string;
  /** The first try's. */
  startOrder: number;
  begunAt: number;
  /** The highest id that a message of the conversation was known to have when it began. */
  after: string;
  /** It was refused, for good. */
  refused: boolean;
  message?: MessageModel;
}

export interface MessageModel {
  id: string;
  conversation: ConversationModel;
  /** Milliseconds. */
  sentAt: number;
  sent_by: string;
  created_at: number;
  attachments: string;
  /** From when on it is certain to be there. */
  knownSince: number;
  deleted: Register<boolean>;
  text: Register<string>;
  /** By each of its texts: when its edit began (milliseconds), and when the API says that it was changed. */
  updates: Map<string, { begunAt: number; shown?: number | null }>;
  /** By name and reactor. */
  reactions: Map<string, { name: string; by: string; set: Register<boolean> }>;
  /** When it was read, as first shown; and since when that is known. */
  read?: { at: number; knownSince: number };
}
