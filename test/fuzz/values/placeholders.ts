import fc from '../../support/setup/fast-check.ts';

/**
 * Requests are drawn before anything exists, so they name things by place-holders such as `|message:7|`, which stand
 * for real ids when the request is sent (see resolve.ts). So a seed gives the same requests in every run. They are written
 * in characters that an id may have, for the schemas to let them pass.
 */
export type PlaceholderKind =
  /** A conversation that the caller takes part in, one of other callers, and one of the people with the secrets. */
  | 'conversation'
  | 'foreign-conversation'
  | 'confidential-conversation'
  | 'deleted-conversation'
  /** A message that the caller may see, one that the caller has sent, and so on. */
  | 'message'
  | 'mine'
  | 'foreign-message'
  | 'confidential-message'
  | 'deleted-message'
  /** A message of the conversation that the request has named so far. */
  | 'message-in-it'
  | 'person'
  /** Somebody whom no caller has anything to do with, and who has secrets. */
  | 'confidential-person'
  | 'me'
  | 'my-name'
  | 'group'
  | 'foreign-group'
  | 'business'
  /** How far the caller has read what happens; somebody else's; the caller's, as a table that was replaced has given it. */
  | 'feed-cursor'
  | 'foreign-feed-cursor'
  | 'expired-feed-cursor'
  /** The state of the thing that the request names, as the caller last saw it. */
  | 'etag'
  | 'token';

export const placeholder = (kind: PlaceholderKind): fc.Arbitrary<string> =>
  fc.nat(60).map((n) => `|${kind}:${n}|`);

export const placeholderOf = (...kinds: PlaceholderKind[]) => fc.oneof(...kinds.map(placeholder));

/** What a field of that name may well be, among what exists. `resource` is what the operation is about. */
export function likelyPlaceholder(
  name: string,
  resource: string,
): fc.Arbitrary<string> | undefined {
  const likely: Record<string, PlaceholderKind[]> = {
    conversation_id: ['conversation'],
    message_id: ['message', 'mine', 'mine'],
    pinned_message_id: ['message-in-it'],
    last_read_message_id: ['message-in-it'],
    contact_id: ['person'],
    group_id: ['group'],
    reactions: ['me', 'me', 'my-name', 'person'],
    starting_after: cursorsOf[resource] ?? [],
    ending_before: cursorsOf[resource] ?? [],
  };
  const kinds = Object.hasOwn(likely, name) ? likely[name] : undefined;
  return kinds?.length ? placeholderOf(...kinds) : undefined;
}

const cursorsOf: Record<string, PlaceholderKind[]> = {
  messages: ['message-in-it', 'message-in-it', 'message'],
  conversations: ['conversation'],
  business: ['business'],
  events: ['feed-cursor', 'feed-cursor', 'foreign-feed-cursor'],
};

/** Ids of another kind, of other people, or of what is gone. */
export const wrongIds = placeholderOf(
  'conversation',
  'message',
  'foreign-conversation',
  'confidential-conversation',
  'deleted-conversation',
  'foreign-message',
  'confidential-message',
  'deleted-message',
  'foreign-group',
  'person',
  'business',
);

/** Ids that look right in a field of that name, and are other people's, or of what is gone. */
export function wrongIdPlaceholder(name: string, resource: string): fc.Arbitrary<string> {
  const similar: Record<string, PlaceholderKind[]> = {
    conversation_id: ['foreign-conversation', 'confidential-conversation', 'deleted-conversation'],
    message_id: ['foreign-message', 'confidential-message', 'deleted-message'],
    pinned_message_id: ['foreign-message', 'confidential-message', 'deleted-message'],
    last_read_message_id: ['foreign-message', 'confidential-message', 'deleted-message'],
    // Anybody may write to them, and be in a conversation with them then.
    contact_id: resource === 'contacts' ? ['confidential-person'] : ['person'],
    ...(resource === 'events' && {
      starting_after: ['foreign-feed-cursor', 'expired-feed-cursor'],
    }),
  };
  const kinds = Object.hasOwn(similar, name) ? similar[name] : undefined;
  return kinds ? fc.oneof({ arbitrary: placeholderOf(...kinds), weight: 4 }, wrongIds) : wrongIds;
}
