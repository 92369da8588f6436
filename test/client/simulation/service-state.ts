import type { PushEvent } from '../../../client/src/live/push-event.ts';
import type { GroupEntry, SimulatedGroup } from './group-entries.ts';
import {
  type Entry,
  isParticipant,
  type SimulatedConversation,
  type SimulatedMessage,
} from './simulated-conversations.ts';

export interface SimulatedReply {
  status: number;
  body: unknown;
  link?: string;
}

export interface SimulatedServiceOptions {
  chance: () => number;
  push(feed: string, event: PushEvent): void;
  /** Maximum length of a message text in a push, in characters. Default: 20,000. */
  maxPushedText?: number | undefined;
}

export interface SimulatedUpload {
  id: string;
  name: string;
  conversationId: string;
  createdAt: number;
  isStored: boolean;
  isSent: boolean;
}

export interface ServiceState extends SimulatedServiceOptions {
  readonly conversations: SimulatedConversation[];
  readonly feeds: Map<string, (Entry | GroupEntry)[]>;
  readonly groups: Map<string, Set<string>>;
  readonly userGroups: Map<string, SimulatedGroup>;
  /** Number of expired entries in each feed. */
  readonly forgotten: Map<string, number>;
  /** Body and reply of the first successful request, by idempotency key. */
  readonly replies: Map<string, { body: string; reply: SimulatedReply }>;
  readonly uploads: Map<string, SimulatedUpload>;
  readonly waiting: { at: number; feed: string; entry: Entry | GroupEntry }[];
}

export const createState = (options: SimulatedServiceOptions): ServiceState => ({
  ...options,
  ...{ conversations: [], waiting: [] },
  ...{ feeds: new Map(), groups: new Map(), forgotten: new Map(), replies: new Map() },
  ...{ uploads: new Map(), userGroups: new Map() },
});

/**
 * Returns the stored reply for an idempotency key, or an error if the body differs. For a new key,
 * returns the reply of `create`, and stores that reply unless it is an error.
 */
export function replayOrCreate(
  { replies }: ServiceState,
  key: string,
  input: object,
  create: () => SimulatedReply,
): SimulatedReply {
  const body = JSON.stringify(input);
  const replayed = replies.get(key);
  if (replayed) {
    return replayed.body === body ? replayed.reply : toError(422, 'idempotency_key_reused');
  }
  const reply = create();
  if (key && reply.status < 400) replies.set(key, { body, reply });
  return reply;
}

export const toError = (status: number, code: string): SimulatedReply => ({
  status,
  body: { code },
});
export const toReply = (body: unknown): SimulatedReply => ({ status: 200, body });
export const notFound = toError(404, 'not_found');

export function getGroups({ groups }: ServiceState, contactId: string): Set<string> {
  const had = groups.get(contactId) ?? new Set<string>();
  groups.set(contactId, had);
  return had;
}

export const getFeeds = (state: ServiceState, contactId: string): string[] => [
  `c:${contactId}`,
  ...[...getGroups(state, contactId)].sort().map((group) => `g:${group}`),
];

export function getEntries({ feeds }: ServiceState, feed: string): (Entry | GroupEntry)[] {
  const had = feeds.get(feed) ?? [];
  feeds.set(feed, had);
  return had;
}

export const isVisible = (
  state: ServiceState,
  one: SimulatedConversation,
  contactId: string,
): boolean => !one.isDeleted && isParticipant(one, contactId, getGroups(state, contactId));

export const findConversation = (state: ServiceState, contactId: string, id: string) =>
  state.conversations.find((one) => one.id === id && isVisible(state, one, contactId));

export function findMessage(
  state: ServiceState,
  contactId: string,
  id: string,
): { conversation: SimulatedConversation; message: SimulatedMessage } | undefined {
  const conversation = findConversation(state, contactId, id.slice(0, 26));
  const message = conversation?.messages.find((one) => one.id === id && !one.isDeleted);
  return conversation && message ? { conversation, message } : undefined;
}
