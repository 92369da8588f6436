import { toSeconds, toSecondsOrNull } from '../../shared/clock.ts';
import type { Conversation } from '../../shared/contract/conversation.ts';
import type { Message } from '../../shared/contract/message.ts';
import { type Caller, contactFor, takesPart } from '../oracle/participants.ts';

/** The service as it should be, as simply as it can be said: everything in memory, one step after the other. */
export interface Model {
  /** Milliseconds. */
  now: number;
  /** The groups of each person, at present. */
  groups: Map<string, Set<string>>;
  conversations: ConversationModel[];
}

export interface Settings {
  is_pinned: boolean;
  is_muted: boolean;
  archived_at: number | null;
  opened_at?: number;
  /** How many places of the log the person has been given. */
  read_place?: number;
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
  updated_at?: number;
  deleted: boolean;
}

/** A message as replies show it, but that of its sender only the id is compared. */
export type MessageView = Omit<Message, 'contact'> & { contact: { id: string } };

export const newModel = (): Model => ({
  now: Date.now(),
  groups: new Map([
    ['ann', new Set(['team', 'club'])],
    ['bob', new Set(['team'])],
    ['carl', new Set()],
  ]),
  conversations: [],
});

export const settingsOf = ({ settings }: ConversationModel, who: string): Settings =>
  settings.get(who) ?? { is_pinned: false, is_muted: false, archived_at: null };

/** Somebody with the groups that they have at present. */
export const callerOf = ({ groups }: Model, id: string): Caller => ({
  id,
  groups: [...(groups.get(id) ?? [])],
});

export const maySee = (model: Model, conversation: ConversationModel, who: string): boolean =>
  !conversation.deleted && takesPart(conversation, callerOf(model, who));

export const conversationView = (one: ConversationModel, who: string): Conversation => {
  const { is_pinned, is_muted, archived_at, opened_at } = settingsOf(one, who);
  return {
    id: one.id,
    contact_id: contactFor(one, who),
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

export const messageView = (conversation: ConversationModel, one: MessageModel): MessageView => ({
  id: one.id,
  conversation_id: conversation.id,
  contact: { id: one.sent_by },
  message: one.text,
  reactions: [...one.reactions]
    .filter(([, reactors]) => reactors.size > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, reactors]) => ({ [name]: [...reactors].sort() })),
  attachments: [],
  read_at: toSecondsOrNull(one.read_at),
  created_at: toSeconds(one.sent_at),
  updated_at: toSecondsOrNull(one.updated_at),
});

/** With what it is asked to bring along. */
export const expandedView = (one: ConversationModel, who: string, expand: string[]) => {
  const view = conversationView(one, who);
  const last = messagesIn(one)[0];
  return {
    ...view,
    ...(expand.includes('contact') && { contact: view.contact_id && { id: view.contact_id } }),
    ...(expand.includes('unread_count') && { unread_count: unreadIn(one, who) }),
    ...(expand.includes('last_message') && { last_message: last ? messageView(one, last) : null }),
  };
};

const unreadIn = (one: ConversationModel, who: string): number =>
  one.messages
    .slice(settingsOf(one, who).read_place ?? 0)
    .filter(({ deleted, sent_by }) => !deleted && sent_by !== who).length;

/** Newest first. */
export const messagesIn = (conversation: ConversationModel): MessageModel[] =>
  conversation.messages.filter(({ deleted }) => !deleted).reverse();

/** Those of all the person's conversations, newest first. */
export const messagesAcross = (model: Model, who: string): MessageView[] =>
  model.conversations
    .filter((one) => maySee(model, one, who))
    .flatMap((one) => messagesIn(one).map((message) => ({ one, message })))
    .sort((a, b) => b.message.sent_at - a.message.sent_at)
    .map(({ one, message }) => messageView(one, message));

export interface Filters {
  muted: boolean;
  archived: boolean;
  pinned: boolean;
  group_id?: string;
  contact_id?: string;
  exclude: string[];
}

export function conversationsOf(model: Model, who: string, filters: Filters, expand: string[]) {
  const { muted, archived, pinned, group_id, contact_id, exclude } = filters;
  const byId = muted || archived || pinned;
  const rank = (one: ConversationModel) =>
    byId ? one.created_at : (one.last_message_at ?? one.created_at);
  return model.conversations
    .filter((one) => maySee(model, one, who))
    .filter((one) => group_id === undefined || one.group_id === group_id)
    .filter(
      (one) =>
        contact_id === undefined ||
        (one.group_id === (group_id ?? null) && contactFor(one, who) === contact_id),
    )
    .filter((one) => {
      const settings = settingsOf(one, who);
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
    .map((one) => expandedView(one, who, expand));
}
