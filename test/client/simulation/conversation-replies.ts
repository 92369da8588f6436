import {
  findConversation,
  isVisible,
  notFound,
  type ServiceState,
  type SimulatedReply,
  toReply,
} from './service-state.ts';
import {
  getLastActivity,
  getSettings,
  newConversation,
  type SimulatedConversation,
  toConversation,
  toOpening,
  toUnreadCount,
} from './simulated-conversations.ts';
import { publish, publishToAll } from './simulated-feeds.ts';

export interface ConversationFields {
  last_read_message_id?: string;
  mark_unread_from?: string;
  is_pinned?: boolean;
  is_muted?: boolean;
  archived_at?: number | null;
  pinned_message_id?: string | null;
}

type BeforeCounting = (() => void) | undefined;

export function createConversation(
  state: ServiceState,
  contactId: string,
  to: { contact?: string; group?: string },
): SimulatedConversation {
  const one = newConversation(contactId, to, Date.now());
  state.conversations.push(one);
  publishToAll(state, { type: 'conversation.created', conversation: one, version: 1 });
  return one;
}

/**
 * Records and publishes that a user has opened a conversation and read up to a sequence number. If
 * neither the number nor a message is new, has no effect within a minute after the last opening.
 */
export function markReadUpTo(
  state: ServiceState,
  one: SimulatedConversation,
  contactId: string,
  sequence: number,
): void {
  const { readSequence, opened } = getSettings(one, contactId);
  const now = Date.now();
  const isNew = sequence > readSequence || (one.last ?? 0) > (opened ?? 0);
  if (!isNew && opened !== null && now - opened < 60_000) return;
  changeSettings(state, one, contactId, {
    readSequence: Math.max(sequence, readSequence),
    opened: now,
  });
  const other = one.by === contactId ? one.contact : one.by;
  if (one.group !== null || other === null) return;
  const { version } = getSettings(one, contactId);
  const event = { type: 'reader.updated', conversation: one, reader: contactId, version } as const;
  publish(state, event, [`c:${other}`]);
}

/** Replies with the contacts who have opened the conversation, most recent opening first. */
export function replyToReaders(state: ServiceState, contactId: string, id: string): SimulatedReply {
  const one = findConversation(state, contactId, id);
  if (!one) return notFound;
  const readers = [...one.settings.keys()]
    .filter((reader) => getSettings(one, reader).opened !== null)
    .map((reader) => toOpening(one, reader))
    .sort((a, b) => b.last_opened_at - a.last_opened_at)
    .map(({ id: _, conversation_id: _conversation, ...reader }) => reader);
  return toReply({ data: readers, has_more: false });
}

function changeSettings(
  state: ServiceState,
  one: SimulatedConversation,
  contactId: string,
  change: Partial<ReturnType<typeof getSettings>>,
): void {
  const settings = getSettings(one, contactId);
  Object.assign(settings, change, { version: settings.version + 1 });
  const version = one.version + settings.version;
  const event = { type: 'conversation.updated', conversation: one, version, own: true } as const;
  publish(state, event, [`c:${contactId}`]);
}

/** Returns a conversation with expanded fields. Like the API, counts unread messages last. */
function expand(
  one: SimulatedConversation,
  contactId: string,
  names: readonly string[],
  beforeCounting: BeforeCounting,
) {
  const shown = toConversation(one, contactId, names);
  if (names.includes('unread_count')) beforeCounting?.();
  return { ...shown, ...toUnreadCount(one, contactId, names) };
}

export function replyToConversationList(
  state: ServiceState,
  contactId: string,
  query: URLSearchParams,
  beforeCounting: BeforeCounting,
): SimulatedReply {
  const { conversations } = state;
  const isById = ['muted', 'archived', 'pinned'].some((flag) => query.get(flag) === 'true');
  // Sorts by latest activity, or only by id if a flag filter is set.
  const getSortKey = (one: SimulatedConversation) => (isById ? 0 : getLastActivity(one));
  const after = query.get('starting_after')?.split('~');
  const from = after?.[0];
  const fromSortKey = after?.[1]
    ? Number(after[1])
    : getSortKey(conversations.find(({ id }) => id === from) ?? newConversation('', {}, 0));
  const all = conversations
    .filter((one) => isVisible(state, one, contactId) && matchesFlags(one, contactId, query))
    .sort((a, b) => getSortKey(b) - getSortKey(a) || (a.id < b.id ? 1 : -1))
    .filter(
      (one) =>
        from === undefined ||
        getSortKey(one) < fromSortKey ||
        (getSortKey(one) === fromSortKey && one.id < from),
    );
  const limit = Number(query.get('limit') ?? 10);
  const page = all.slice(0, limit);
  const last = page.at(-1);
  const has_more = all.length > limit;
  const names = query.getAll('expand[]');
  const next = new URLSearchParams({ starting_after: `${last?.id}~${last && getSortKey(last)}` });
  return {
    ...toReply({
      has_more,
      data: page.map((one) => expand(one, contactId, names, beforeCounting)),
    }),
    ...(has_more && { link: `<http://paper?${next}>; rel="next"` }),
  };
}

function matchesFlags(
  one: SimulatedConversation,
  contactId: string,
  query: URLSearchParams,
): boolean {
  const { pinned, muted, archived } = getSettings(one, contactId);
  const flags = { pinned, muted, archived: archived !== null };
  return (['pinned', 'muted', 'archived'] as const).every(
    (flag) =>
      (query.get(flag) !== 'true' || flags[flag]) &&
      !(query.getAll('exclude[]').includes(flag) && flags[flag]),
  );
}

export function replyToConversation(
  state: ServiceState,
  contactId: string,
  method: string,
  id: string,
  request: { query: URLSearchParams; body: ConversationFields; beforeCounting: BeforeCounting },
): SimulatedReply {
  const one = findConversation(state, contactId, id);
  if (!one) return notFound;
  if (method === 'DELETE') {
    one.isDeleted = true;
    one.version += 1;
    const { version } = one;
    publishToAll(state, { type: 'conversation.deleted', conversation: one, version });
    return toReply({ id, deleted: true });
  }
  if (method === 'PUT') updateConversation(state, one, contactId, request.body);
  return toReply(expand(one, contactId, request.query.getAll('expand[]'), request.beforeCounting));
}

function updateConversation(
  state: ServiceState,
  one: SimulatedConversation,
  contactId: string,
  body: ConversationFields,
): void {
  const { pinned, muted, archived } = getSettings(one, contactId);
  const { is_pinned = pinned, is_muted = muted, archived_at = archived } = body;
  if (is_pinned !== pinned || is_muted !== muted || archived_at !== archived) {
    const flags = { pinned: is_pinned, muted: is_muted, archived: archived_at };
    changeSettings(state, one, contactId, flags);
  }
  if (body.last_read_message_id !== undefined) {
    const read = one.messages.find((message) => message.id === body.last_read_message_id);
    markReadUpTo(state, one, contactId, read?.sequence ?? 0);
  }
  if (body.mark_unread_from !== undefined) {
    const first = one.messages.find((message) => message.id === body.mark_unread_from);
    changeSettings(state, one, contactId, { readSequence: (first?.sequence ?? 1) - 1 });
  }
  if (body.pinned_message_id !== undefined) {
    one.pin = body.pinned_message_id;
    one.version += 1;
    const { version } = one;
    publishToAll(state, { type: 'conversation.updated', conversation: one, version });
  }
}
