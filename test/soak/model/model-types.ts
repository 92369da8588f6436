import type { Conversation } from '../../../shared/contract/resources/conversation.ts';
import type { Ranges } from './id-ranges.ts';
import type { Register } from './register.ts';

/** The model of a conversation: the values in requests and replies, with their logical times. */
export interface ConversationModel
  extends Pick<Conversation, 'id' | 'group_id' | 'contact_id' | 'created_at'> {
  created_by: string;
  /** Logical time by which the conversation certainly existed. */
  knownSince: number;
  deleted: Register<boolean>;
  pin: Register<string | null>;
  settings: Map<string, SettingsModel>;
  /** Messages with known ids, in id order, including deleted messages. */
  log: MessageModel[];
  /** All sends, keyed by their unique texts. */
  sends: Map<string, SendModel>;
  /**
   * Id ranges in which lists have returned all messages. No new message may appear in these ranges.
   */
  completeRanges: Ranges;
  /** Readers whose read is pending or has an unknown outcome, keyed by the read's `startOrder`. */
  readers: Map<number, string>;
  readReports: ReadReport[];
  /** Earliest and latest possible time of the last activity, in milliseconds since 1970. */
  activity: { earliest: number; latest: number };
  /**
   * Number of sends in flight or with an unknown outcome, start of the latest send, and end of the
   * last completed send.
   */
  sending: { inFlight: number; startOrder: number; ended: number };
  /** The latest exchanges, formatted as text. */
  events: string[];
}

/**
 * A read position that `last_read_message_id` set. All messages up to `sequence` count as read, but
 * the service sets `read_at` only on the newest of them.
 */
export interface ReadReport {
  by: string;
  sequence: number;
  /** Lowest sequence number of the messages that certainly have `read_at`. */
  markedFrom: number;
  startOrder: number;
  ended: number;
}

export interface SettingsModel {
  is_pinned: Register<boolean>;
  is_muted: Register<boolean>;
  archived_at: Register<number | null>;
  /** Start of the first opening, and start and end of the successful opening that ended last. */
  opened: { firstStart: number; latest?: { ended: number; startedAt: number } };
  /** Read positions in ascending order, each with the end of the request that set it. */
  listedUpTo: { sequence: number; ended: number }[];
}

export interface SendModel {
  text: string;
  by: string;
  /** The attachments as JSON. */
  attachments: string;
  /** Logical time at which the first attempt started. */
  startOrder: number;
  startedAt: number;
  /** Highest known message id of the conversation when the send started. */
  previousId: string;
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
  knownSince: number;
  deleted: Register<boolean>;
  text: Register<string>;
  /** Each text, with the start of its edit in milliseconds and the returned `updated_at`. */
  updates: Map<string, { startedAt: number; shown?: number | null }>;
  /** Reactions, keyed by name and user. */
  reactions: Map<string, { name: string; by: string; set: Register<boolean> }>;
  /** `read_at` as first returned, and the logical time by which it was certainly set. */
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
