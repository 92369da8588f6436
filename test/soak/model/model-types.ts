import type { Conversation } from '../../../shared/contract/resources/conversation.ts';
import type { Ranges } from './id-ranges.ts';
import type { Register } from './register.ts';

/** The model of a conversation: set, sent and returned values, with their times. */
export interface ConversationModel
  extends Pick<Conversation, 'id' | 'group_id' | 'contact_id' | 'created_at'> {
  created_by: string;
  /** Time from which the conversation certainly exists. */
  knownSince: number;
  deleted: Register<boolean>;
  pin: Register<string | null>;
  settings: Map<string, SettingsModel>;
  /** Messages with known ids in order, including deleted ones. */
  log: MessageModel[];
  /** All sends, by text; texts are unique. */
  sends: Map<string, SendModel>;
  /**
   * Ranges of ids that a listing has returned completely: no message may appear in them anymore.
   */
  completeRanges: Ranges;
  /** Readers with a read request that is pending or has an unknown outcome, by start. */
  readers: Map<number, string>;
  /** Reported read positions. */
  readReports: ReadReport[];
  /** Earliest and latest millisecond of the last activity, from completed sends. */
  activity: { least: number; most: number };
  /**
   * Number of sends in flight or with unknown outcome, start of the latest one, and end of the last
   * completed one.
   */
  sending: { inFlight: number; startOrder: number; ended: number };
  /** The latest exchanges, as text. */
  events: string[];
}

/**
 * A read position and its time: all messages up to a sequence number are read, and the newest of
 * them are marked.
 */
export interface ReadReport {
  by: string;
  sequence: number;
  /** From this sequence number on, all messages that existed at the time are marked. */
  markedFrom: number;
  startOrder: number;
  ended: number;
}

/** Settings of a participant. */
export interface SettingsModel {
  is_pinned: Register<boolean>;
  is_muted: Register<boolean>;
  archived_at: Register<number | null>;
  /** Listings that count as opening: the one that started first, and the one that ended last. */
  opened: { firstBegun: number; latest?: { ended: number; begunAt: number } };
  /** Highest returned sequence numbers, increasing, with the end of each listing. */
  listedUpTo: { sequence: number; ended: number }[];
}

/** A send, and its message once known. */
export interface SendModel {
  text: string;
  by: string;
  /** The attachments as JSON. */
  attachments: string;
  /** Start of the first attempt. */
  startOrder: number;
  begunAt: number;
  /** Highest known message id of the conversation at the start. */
  after: string;
  /** Whether the API refused the send. */
  refused: boolean;
  message?: MessageModel;
}

export interface MessageModel {
  id: string;
  conversation: ConversationModel;
  /** Milliseconds since 1970. */
  sentAt: number;
  sent_by: string;
  created_at: number;
  attachments: string;
  /** Time from which the message certainly exists. */
  knownSince: number;
  deleted: Register<boolean>;
  text: Register<string>;
  /**
   * For each text: start of its edit (milliseconds), and the `updated_at` that the API returned.
   */
  updates: Map<string, { begunAt: number; shown?: number | null }>;
  /** By name and reactor. */
  reactions: Map<string, { name: string; by: string; set: Register<boolean> }>;
  /** `read_at` as first returned, and the time from which it is known. */
  read?: { at: number; knownSince: number };
}

/** The model of a user group, whose creator is its only owner. */
export interface UserGroupModel {
  id: string;
  owner: string;
  title: Register<string>;
  /** Whether each contact is a member. Contacts who were never added are absent. */
  members: Map<string, Register<boolean>>;
}
