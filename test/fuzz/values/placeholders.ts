import fc from '../../support/setup/fast-check.ts';

/**
 * Kind of a placeholder such as `|message:7|`. A seed generates requests with the same placeholders
 * in every run. Then fill-placeholders.ts replaces the placeholders with ids. Schemas accept
 * placeholders, because ids may contain the characters of placeholders. `foreign-…` ids belong to
 * other callers.
 */
export type PlaceholderKind =
  | 'conversation'
  | 'foreign-conversation'
  | 'confidential-conversation'
  | 'deleted-conversation'
  /** `mine`: a message that the caller sent. */
  | 'message'
  | 'mine'
  | 'foreign-message'
  | 'confidential-message'
  | 'deleted-message'
  /** A message in the conversation that the request already names. */
  | 'message-in-it'
  | 'upload'
  | 'foreign-upload'
  | 'confidential-upload'
  | 'deleted-upload'
  /** A file not sent yet, in the conversation whose id the request already contains. */
  | 'unsent-upload'
  | 'person'
  /** An owner of confidential data, unrelated to any caller. */
  | 'confidential-person'
  | 'me'
  | 'my-name'
  | 'group'
  | 'foreign-group'
  /** Groups that users created. */
  | 'user-group'
  | 'foreign-user-group'
  | 'deleted-user-group'
  | 'confidential-group'
  | 'business'
  /** `expired-feed-cursor`: the caller's cursor from another table. */
  | 'feed-cursor'
  | 'foreign-feed-cursor'
  | 'expired-feed-cursor'
  /** The ETag of the request's resource, as the caller last received it. */
  | 'etag'
  | 'token';

export const placeholder = (kind: PlaceholderKind): fc.Arbitrary<string> =>
  fc.nat(60).map((n) => `|${kind}:${n}|`);

export const placeholderOf = (...kinds: PlaceholderKind[]) => fc.oneof(...kinds.map(placeholder));

/**
 * Generates plausible values for the named field. If the name is not listed, returns `undefined`.
 */
export function likelyPlaceholder(
  name: string,
  resource: string,
): fc.Arbitrary<string> | undefined {
  const likely: Record<string, PlaceholderKind[]> = {
    conversation_id: ['conversation'],
    message_id: ['message', 'mine', 'mine'],
    attachment_id: ['upload', 'unsent-upload'],
    pinned_message_id: ['message-in-it'],
    last_read_message_id: ['message-in-it'],
    mark_unread_from: ['message-in-it'],
    reply_to_id: ['message-in-it'],
    mentions: ['me', 'person'],
    // Valid blocks would make the API reject most later requests.
    contact_id: resource === 'blocks' ? [] : ['person'],
    group_id: isOfGroups(resource) ? ['user-group'] : ['group'],
    members: ['person', 'me'],
    public_id: ['business'],
    reactions: ['me', 'me', 'my-name', 'person'],
    starting_after: cursorsOf[resource] ?? [],
    ending_before: cursorsOf[resource] ?? [],
  };
  const kinds = Object.hasOwn(likely, name) ? likely[name] : undefined;
  return kinds?.length ? placeholderOf(...kinds) : undefined;
}

/**
 * Generates plausible fields that a schema accepts but does not list. The only field is the id of
 * an uploaded attachment.
 */
export const likelyFields = (name: string, resource: string) =>
  name === 'attachments' && resource === 'messages'
    ? fc.record({ id: placeholderOf('unsent-upload', 'unsent-upload', 'upload', 'foreign-upload') })
    : undefined;
const isOfGroups = (resource: string) => ['groups', 'members'].includes(resource);

const cursorsOf: Record<string, PlaceholderKind[]> = {
  messages: ['message-in-it', 'message-in-it', 'message'],
  conversations: ['conversation'],
  business: ['business'],
  readers: ['person'],
  groups: ['user-group'],
  members: ['person'],
  events: ['feed-cursor', 'feed-cursor', 'foreign-feed-cursor'],
};

export const wrongIds = placeholderOf(
  'conversation',
  'message',
  'foreign-conversation',
  'confidential-conversation',
  'deleted-conversation',
  'foreign-message',
  'confidential-message',
  'deleted-message',
  'upload',
  'foreign-upload',
  'confidential-upload',
  'foreign-group',
  'confidential-group',
  'person',
  'business',
);

/** Generates wrong ids, mostly of the right type if the field is known. */
export function wrongIdPlaceholder(name: string, resource: string): fc.Arbitrary<string> {
  const similar: Record<string, PlaceholderKind[]> = {
    conversation_id: ['foreign-conversation', 'confidential-conversation', 'deleted-conversation'],
    message_id: ['foreign-message', 'confidential-message', 'deleted-message'],
    attachment_id: ['foreign-upload', 'confidential-upload', 'deleted-upload'],
    pinned_message_id: ['foreign-message', 'confidential-message', 'deleted-message'],
    last_read_message_id: ['foreign-message', 'confidential-message', 'deleted-message'],
    mark_unread_from: ['foreign-message', 'confidential-message', 'deleted-message'],
    reply_to_id: ['foreign-message', 'confidential-message', 'deleted-message'],
    // Operations on other resources could use the confidential person's id to create a conversation
    // between that person and the caller.
    contact_id: ['contacts', 'blocks'].includes(resource) ? ['confidential-person'] : ['person'],
    ...(isOfGroups(resource) && {
      group_id: ['foreign-user-group', 'deleted-user-group', 'confidential-group'],
    }),
    ...(resource === 'events' && {
      starting_after: ['foreign-feed-cursor', 'expired-feed-cursor'],
    }),
  };
  const kinds = Object.hasOwn(similar, name) ? similar[name] : undefined;
  return kinds ? fc.oneof({ arbitrary: placeholderOf(...kinds), weight: 4 }, wrongIds) : wrongIds;
}
