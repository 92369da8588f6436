import type {
  Contact,
  Conversation,
  Event,
  Message,
  OpenedConversation,
} from '../../../client/src/index.ts';
import { examples } from '../../../shared/contract/examples.ts';
import { newConversationId, toMessageId } from '../../../shared/ids.ts';

export interface SimulatedMessage {
  id: string;
  sequence: number;
  sentBy: string;
  text: string;
  /** Names of the uploaded files. */
  files: readonly string[];
  at: number;
  version: number;
  isDeleted: boolean;
  likedBy: string[];
}

interface Settings {
  version: number;
  pinned: boolean;
  muted: boolean;
  archived: number | null;
  opened: number | null;
  readSequence: number;
}

export interface SimulatedConversation {
  id: string;
  by: string;
  contact: string | null;
  group: string | null;
  at: number;
  last: number | null;
  pin: string | null;
  version: number;
  isDeleted: boolean;
  messages: SimulatedMessage[];
  settings: Map<string, Settings>;
}

export interface Entry {
  type: Event['type'];
  conversation: SimulatedConversation;
  message?: SimulatedMessage;
  /** Id of the contact who opened the conversation, if the entry is about that. */
  reader?: string;
  version: number;
  at: number;
  /** Unix time in milliseconds. `GET /v1/events` sorts the entries of all feeds by this time. */
  time: number;
  own?: boolean;
  keepsContent?: boolean;
}

export const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000);
const secondsOrNull = (milliseconds: number | null) =>
  milliseconds === null ? null : seconds(milliseconds);

const toContact = (id: string): Contact => ({
  id,
  username: id,
  phone_number: null,
  avatar_url: null,
  last_active_at: null,
  created_at: null,
});

export const getSettings = (one: SimulatedConversation, contactId: string): Settings => {
  const had = one.settings.get(contactId);
  if (had) return had;
  const fresh = {
    version: 0,
    pinned: false,
    muted: false,
    archived: null,
    opened: null,
    readSequence: 0,
  };
  one.settings.set(contactId, fresh);
  return fresh;
};

export const isParticipant = (
  one: SimulatedConversation,
  contactId: string,
  groups: ReadonlySet<string>,
) =>
  one.group === null
    ? one.by === contactId || one.contact === contactId
    : groups.has(one.group) || one.contact === contactId;

export const toMessage = (one: SimulatedConversation, message: SimulatedMessage): Message => ({
  ...examples['messages/send'].reply,
  id: message.id,
  conversation_id: one.id,
  contact: toContact(message.sentBy),
  message: message.text,
  reactions: message.likedBy.length > 0 ? [{ like: message.likedBy }] : [],
  attachments: message.files.map((name) => ({ name })),
  created_at: seconds(message.at),
});

const present = (one: SimulatedConversation) => one.messages.filter(({ isDeleted }) => !isDeleted);

export const newestFirst = (one: SimulatedConversation) => present(one).reverse();

export const getLastActivity = (one: SimulatedConversation) => one.last ?? one.at;

/**
 * Returns `unread_count` if it is expanded, otherwise no field. Counts other users' unread messages
 * up to 100.
 */
export function toUnreadCount(
  one: SimulatedConversation,
  contactId: string,
  expand: readonly string[],
) {
  const { readSequence } = getSettings(one, contactId);
  const unread = present(one).filter(
    ({ sequence, sentBy }) => sequence > readSequence && sentBy !== contactId,
  );
  return expand.includes('unread_count') ? { unread_count: Math.min(100, unread.length) } : {};
}

export function toConversation(
  one: SimulatedConversation,
  contactId: string,
  expand: readonly string[],
): Conversation {
  const { pinned, muted, archived, opened } = getSettings(one, contactId);
  const other = one.contact === contactId ? one.by : one.contact;
  const [last] = newestFirst(one);
  return {
    id: one.id,
    contact_id: other,
    group_id: one.group,
    pinned_message_id: one.pin,
    is_pinned: pinned,
    is_muted: muted,
    last_active_at: secondsOrNull(one.last),
    last_opened_at: secondsOrNull(opened),
    created_at: seconds(one.at),
    archived_at: archived,
    ...(expand.includes('contact') && { contact: other === null ? null : toContact(other) }),
    ...(expand.includes('last_message') && { last_message: last ? toMessage(one, last) : null }),
    ...toUnreadCount(one, contactId, expand),
  };
}

/** Returns how a contact who has opened the conversation appears in `reader.updated` events. */
export function toOpening(one: SimulatedConversation, contactId: string): OpenedConversation {
  const { opened, readSequence } = getSettings(one, contactId);
  const read = newestFirst(one).find(({ sequence }) => sequence <= readSequence);
  return {
    id: `${one.id}-${contactId}`,
    conversation_id: one.id,
    contact_id: contactId,
    last_read_message_id: read?.id ?? null,
    last_opened_at: seconds(opened ?? 0),
  };
}

export const newConversation = (
  by: string,
  to: { contact?: string; group?: string },
  at: number,
): SimulatedConversation => ({
  id: newConversationId(at),
  by,
  contact: to.contact ?? null,
  group: to.group ?? null,
  at,
  last: null,
  pin: null,
  version: 1,
  isDeleted: false,
  messages: [],
  settings: new Map(),
});

export function newMessage(
  one: SimulatedConversation,
  sentBy: string,
  text: string,
  at: number,
  files: readonly string[] = [],
): SimulatedMessage {
  const sequence = one.messages.length + 1;
  const id = toMessageId({ conversationId: one.id, sequence, sentAt: at });
  return { id, sequence, sentBy, text, files, at, version: 1, isDeleted: false, likedBy: [] };
}
