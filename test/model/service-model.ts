import { toSeconds, toSecondsOrNull } from '../../shared/clock.ts';
import type { Contact } from '../../shared/contract/resources/contact.ts';
import type { Conversation } from '../../shared/contract/resources/conversation.ts';
import type { Message } from '../../shared/contract/resources/message.ts';
import {
  type Caller,
  getContact,
  isParticipant,
  type Participants,
} from '../response-invariants/permissions.ts';
import { person } from '../support/people/callers.ts';

/** An in-memory model of the service: sequential and without optimization. */
export interface Model {
  /** Milliseconds since 1970. */
  now: number;
  groups: Map<string, Set<string>>;
  conversations: ConversationModel[];
  /** Distinct conversations, keyed by the pair's sorted ids. */
  distinct: Map<string, ConversationModel>;
  /** Contacts that have sent a write request. */
  contacts: Map<string, ContactModel>;
  /** Times of blocks in milliseconds, by blocking person and blocked contact. */
  blocks: Map<string, Map<string, number>>;
}

/** A contact as last stored. Times are in milliseconds. */
export interface ContactModel {
  groups: Set<string>;
  created_at: number;
  last_active_at: number;
}

export interface Settings {
  is_pinned: boolean;
  is_muted: boolean;
  archived_at: number | null;
  opened_at?: number;
  /** Read position: the number of oldest messages that count as read. */
  read_sequence?: number;
  /** Highest `read_sequence` before messages were marked as unread. */
  max_read_sequence?: number;
}

export interface ConversationModel {
  id: string;
  created_by: string;
  contact_id: string | null;
  group_id: string | null;
  created_at: number;
  last_message_at?: number;
  pinned: string | null;
  deleted: boolean;
  settings: Map<string, Settings>;
  messages: MessageModel[];
}

export interface MessageModel {
  id: string;
  sent_by: string;
  text: string;
  reactions: Map<string, Set<string>>;
  sent_at: number;
  read_at?: number;
  /** Time of the first read, even if a block hides the read from the sender. */
  hidden_read_at?: number;
  updated_at?: number;
  deleted: boolean;
}

/** A message as returned, with only its sender's id. */
export type MessageView = Omit<Message, 'contact'> & { contact: { id: string } };

let startTime = Date.now();
/**
 * Milliseconds between the starts of scenarios. The interval is longer than a scenario, so that all
 * cache entries expire.
 */
const betweenScenarios = 2 * 60 * 60_000;

export function createModel(): Model {
  startTime += betweenScenarios;
  return {
    now: startTime,
    groups: new Map([
      ['ann', new Set(['team', 'club'])],
      ['bob', new Set(['team'])],
      ['carl', new Set()],
    ]),
    conversations: [],
    distinct: new Map(),
    contacts: new Map(),
    blocks: new Map(),
  };
}

export const getSettings = ({ settings }: ConversationModel, userId: string): Settings =>
  settings.get(userId) ?? { is_pinned: false, is_muted: false, archived_at: null };

export const toCaller = ({ groups }: Model, id: string): Caller => ({
  id,
  groups: [...(groups.get(id) ?? [])],
});

export const canSee = (model: Model, conversation: ConversationModel, userId: string): boolean =>
  !conversation.deleted && isParticipant(conversation, toCaller(model, userId));

export const isBlocking = ({ blocks }: Model, by: string, other: string): boolean =>
  blocks.get(by)?.has(other) ?? false;

export const isBlocked = (
  model: Model,
  { created_by, contact_id, group_id }: Participants,
): boolean =>
  group_id === null &&
  contact_id !== null &&
  (isBlocking(model, created_by, contact_id) || isBlocking(model, contact_id, created_by));

const isOfPair = ({ created_by, contact_id, group_id }: ConversationModel, ids: string[]) =>
  group_id === null && toPairKey([created_by, contact_id ?? '']) === toPairKey(ids);

const toPairKey = (ids: string[]) => [...ids].sort().join();

/**
 * Returns the distinct conversation between two people. If they have no distinct conversation,
 * makes their oldest direct conversation the distinct one until its deletion. Returns `undefined`
 * if they have no direct conversation.
 */
export function findDistinct(model: Model, ids: string[]): ConversationModel | undefined {
  const recorded = model.distinct.get(toPairKey(ids));
  if (recorded && !recorded.deleted) return recorded;
  const oldest = model.conversations.find((one) => !one.deleted && isOfPair(one, ids));
  if (oldest) recordDistinct(model, oldest);
  return oldest;
}

export const recordDistinct = (model: Model, one: ConversationModel): void => {
  model.distinct.set(toPairKey([one.created_by, one.contact_id ?? '']), one);
};

/** Stores a participant's activity, at most once a minute unless the groups have changed. */
export function recordContactActivity(model: Model, id: string): void {
  const known = model.contacts.get(id);
  const groups = new Set(model.groups.get(id));
  const hasSameGroups = [...(known?.groups ?? [])].sort().join() === [...groups].sort().join();
  if (known && hasSameGroups && model.now - known.last_active_at < 60_000) return;
  const { created_at } = known ?? { created_at: model.now };
  model.contacts.set(id, { groups, created_at, last_active_at: model.now });
}

/** Returns the contact if it is the caller or shares a conversation with the caller. */
export function toContactView(model: Model, by: string, id: string): Contact | undefined {
  const known = model.contacts.get(id);
  const other = { id, groups: [...(known?.groups ?? [])] };
  const isShared = model.conversations.some(
    (one) => canSee(model, one, by) && isParticipant(one, other),
  );
  if (id !== by && !isShared) return undefined;
  const { username = null, phone_number = null, avatar_url = null } = known ? person(id) : {};
  return {
    ...{ id, username, phone_number, avatar_url },
    last_active_at: toSecondsOrNull(known?.last_active_at),
    created_at: toSecondsOrNull(known?.created_at),
  };
}

export const toConversationView = (one: ConversationModel, userId: string): Conversation => {
  const { is_pinned, is_muted, archived_at, opened_at } = getSettings(one, userId);
  return {
    id: one.id,
    contact_id: getContact(one, userId),
    group_id: one.group_id,
    pinned_message_id: one.pinned,
    is_pinned,
    is_muted,
    last_active_at: toSecondsOrNull(one.last_message_at),
    last_opened_at: toSecondsOrNull(opened_at),
    created_at: toSeconds(one.created_at),
    archived_at,
  };
};

export const toMessageView = (
  conversation: ConversationModel,
  one: MessageModel,
  viewer: string,
): MessageView => ({
  id: one.id,
  conversation_id: conversation.id,
  contact: { id: one.sent_by },
  message: one.text,
  reactions: [...one.reactions]
    .filter(([, reactors]) => reactors.size > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, reactors]) => ({ [name]: [...reactors].sort() })),
  attachments: [],
  read_at: toSecondsOrNull(
    one.read_at ?? (one.sent_by === viewer ? undefined : one.hidden_read_at),
  ),
  created_at: toSeconds(one.sent_at),
  updated_at: toSecondsOrNull(one.updated_at),
});

export const toExpandedView = (one: ConversationModel, userId: string, expand: string[]) => {
  const view = toConversationView(one, userId);
  const last = getMessages(one)[0];
  return {
    ...view,
    ...(expand.includes('contact') && { contact: view.contact_id && { id: view.contact_id } }),
    ...(expand.includes('unread_count') && { unread_count: countUnread(one, userId) }),
    ...(expand.includes('last_message') && {
      last_message: last ? toMessageView(one, last, userId) : null,
    }),
  };
};

const countUnread = (one: ConversationModel, userId: string): number =>
  one.messages
    .slice(getSettings(one, userId).read_sequence ?? 0)
    .filter(({ deleted, sent_by }) => !deleted && sent_by !== userId).length;

/** Returns the existing messages, newest first. */
export const getMessages = (conversation: ConversationModel): MessageModel[] =>
  conversation.messages.filter(({ deleted }) => !deleted).reverse();

/** Returns the messages of all the person's conversations, newest first. */
export const getAllMessages = (model: Model, userId: string): MessageView[] =>
  model.conversations
    .filter((one) => canSee(model, one, userId))
    .flatMap((one) => getMessages(one).map((message) => ({ one, message })))
    .sort((a, b) => b.message.sent_at - a.message.sent_at)
    .map(({ one, message }) => toMessageView(one, message, userId));

export interface Filters {
  muted: boolean;
  archived: boolean;
  pinned: boolean;
  group_id?: string;
  contact_id?: string;
  exclude: string[];
}

export function listConversations(
  model: Model,
  userId: string,
  filters: Filters,
  expand: string[],
) {
  const { muted, archived, pinned, group_id, contact_id, exclude } = filters;
  const byId = muted || archived || pinned;
  const rank = (one: ConversationModel) =>
    byId ? one.created_at : (one.last_message_at ?? one.created_at);
  return model.conversations
    .filter((one) => canSee(model, one, userId))
    .filter((one) => group_id === undefined || one.group_id === group_id)
    .filter(
      (one) =>
        contact_id === undefined ||
        (one.group_id === (group_id ?? null) && getContact(one, userId) === contact_id),
    )
    .filter((one) => {
      const settings = getSettings(one, userId);
      return (
        (!muted || settings.is_muted) &&
        (!archived || settings.archived_at !== null) &&
        (!pinned || settings.is_pinned) &&
        !(exclude.includes('muted') && settings.is_muted) &&
        !(exclude.includes('archived') && settings.archived_at !== null) &&
        !(exclude.includes('pinned') && settings.is_pinned)
      );
    })
    .sort((a, b) => rank(b) - rank(a))
    .map((one) => toExpandedView(one, userId, expand));
}
