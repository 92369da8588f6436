import fc from '../../support/setup/fast-check.ts';

/**
 * Requests are generated before any resource exists, so they contain placeholders such as
 * `|message:7|`, which are replaced with ids when the request is sent (fill-placeholders.ts). A
 * seed therefore generates the same requests in every run. Placeholders consist of characters that
 * ids may have, so that schemas accept them.
 */
export type PlaceholderKind =
  /** A conversation of the caller, one of other callers, a confidential one, and a deleted one. */
  | 'conversation'
  | 'foreign-conversation'
  | 'confidential-conversation'
  | 'deleted-conversation'
  /** A message that the caller may see, one that they sent, and some that they may not see. */
  | 'message'
  | 'mine'
  | 'foreign-message'
  | 'confidential-message'
  | 'deleted-message'
  /** A message in the conversation whose id the request already contains. */
  | 'message-in-it'
  /** A file that the caller may see, and some that the caller may not see. */
  | 'upload'
  | 'foreign-upload'
  | 'confidential-upload'
  | 'deleted-upload'
  /**
   * A file that the caller has not sent yet, in the conversation whose id the request already
   * contains.
   */
  | 'unsent-upload'
  | 'person'
  /** An owner of confidential data, unrelated to all callers. */
  | 'confidential-person'
  | 'me'
  | 'my-name'
  | 'group'
  | 'foreign-group'
  /** A group that a user created: of the caller, of other callers, deleted, or confidential. */
  | 'user-group'
  | 'foreign-user-group'
  | 'deleted-user-group'
  | 'confidential-group'
  | 'business'
  /** Feed cursors: of the caller, of another caller, and of the caller for a replaced table. */
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
 * Generates plausible values of a field by its name; returns `undefined` for unlisted fields.
 * `resource` is the operation's resource type.
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
    // After a block, the API would reject most valid requests.
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
 * Generates plausible fields that a schema accepts but does not list: the id of an uploaded
 * attachment.
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

/** Ids of a different type, of other people's resources, or of deleted resources. */
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

/**
 * Generates wrong ids. For a known field, most are of its type, but of other people's or deleted
 * resources.
 */
export function wrongIdPlaceholder(name: string, resource: string): fc.Arbitrary<string> {
  const similar: Record<string, PlaceholderKind[]> = {
    conversation_id: ['foreign-conversation', 'confidential-conversation', 'deleted-conversation'],
    message_id: ['foreign-message', 'confidential-message', 'deleted-message'],
    attachment_id: ['foreign-upload', 'confidential-upload', 'deleted-upload'],
    pinned_message_id: ['foreign-message', 'confidential-message', 'deleted-message'],
    last_read_message_id: ['foreign-message', 'confidential-message', 'deleted-message'],
    mark_unread_from: ['foreign-message', 'confidential-message', 'deleted-message'],
    reply_to_id: ['foreign-message', 'confidential-message', 'deleted-message'],
    // In other operations, any caller may write to a confidential person, and would then share a
    // conversation with them.
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
