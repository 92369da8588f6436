import * as v from 'valibot';
import { Business } from '../business/business.ts';

import {
  boolean,
  businessGroupPrefix,
  ContactId,
  ExternalId,
  flag,
  Id,
  integer,
  maxExternalIdLength,
  Timestamp,
} from '../schema/field-types.ts';
import { listSchema } from '../schema/list-schema.ts';
import { Assignee } from './assignment.ts';
import { Contact } from './contact.ts';
import { expand, maxUnread } from './expand.ts';
import { Message } from './message.ts';

/** A conversation as one participant sees it. */
export const Conversation = v.strictObject({
  id: v.string(),
  contact_id: v.nullable(ExternalId),
  group_id: v.nullable(ExternalId),
  pinned_message_id: v.nullable(v.string()),
  is_pinned: v.boolean(),
  is_muted: v.boolean(),
  last_active_at: v.nullable(Timestamp),
  last_opened_at: v.nullable(
    v.pipe(Timestamp, v.description('Unix time at which the caller last opened the conversation.')),
  ),
  created_at: Timestamp,
  archived_at: v.nullable(Timestamp),
  contact: v.optional(
    v.pipe(
      v.nullable(Contact),
      v.description('Only with `expand[]=contact`: the other contact, or null.'),
    ),
  ),
  last_message: v.optional(
    v.pipe(
      v.nullable(Message),
      v.description('Only with `expand[]=last_message`: the newest message, or null.'),
    ),
  ),
  unread_count: v.optional(
    v.pipe(
      integer(0, maxUnread),
      v.description(
        `Only with \`expand[]=unread_count\`: number of unread messages from other members; ${maxUnread} means ${maxUnread} or more.`,
      ),
    ),
  ),
  mentioned: v.optional(
    v.pipe(
      v.boolean(),
      v.description(
        `Only with \`expand[]=mentioned\`: whether one of the ${maxUnread} oldest unread messages mentions the caller.`,
      ),
    ),
  ),
  business: v.optional(
    v.pipe(
      v.nullable(Business),
      v.description(
        'Only with `expand[]=business`: the listing of the business that the conversation is with, or null.',
      ),
    ),
  ),
  assigned_to: v.optional(
    v.pipe(
      v.nullable(ExternalId),
      v.description(
        'Only with `expand[]=assigned_to`: the contact assigned to the conversation with a business, or null. Always null for callers who are not on its staff.',
      ),
    ),
  ),
});
export type Conversation = v.InferOutput<typeof Conversation>;

export const ConversationPage = listSchema(Conversation);

const anyRequired = ['contact_id', 'group_id', 'business_id'] as const;

/**
 * Maximum length of a business id in characters. The id of the business's group, which adds a
 * prefix, must not exceed the limit for ids.
 */
const maxBusinessIdLength = maxExternalIdLength - businessGroupPrefix.length;

/**
 * Request to create a conversation. If both `contact_id` and `group_id` are set, creates a group
 * conversation that also includes the contact.
 */
export const CreateConversation = v.pipe(
  v.object({
    contact_id: v.nullish(v.pipe(ContactId, v.description('Contact id of the other user.'))),
    group_id: v.nullish(
      v.pipe(ExternalId, v.description('Group whose members participate, including the caller.')),
    ),
    business_id: v.nullish(
      v.pipe(
        ExternalId,
        v.maxLength(maxBusinessIdLength, `must have at most ${maxBusinessIdLength} characters`),
        v.description(
          'An active business, whose staff is the group `business:<public_id>`. Not allowed with `contact_id` or `group_id`.',
        ),
      ),
    ),
    distinct: flag(
      'Returns the distinct conversation with the contact or business: the existing one (200) or a new one (201). Not allowed with `group_id`.',
    ),
    expand,
  }),
  v.forward(
    v.check(
      (input) => anyRequired.some((name) => typeof input[name] === 'string'),
      "or 'group_id' or 'business_id' is required",
    ),
    ['contact_id'],
  ),
  v.forward(
    v.check(
      ({ distinct, group_id }) => !distinct || !group_id,
      'must not be combined with group_id',
    ),
    ['distinct'],
  ),
  v.forward(
    v.check(
      ({ business_id, contact_id, group_id }) => !business_id || (!contact_id && !group_id),
      'must not be combined with contact_id or group_id',
    ),
    ['business_id'],
  ),
  v.metadata({
    anyRequired,
    conflicts: { distinct: ['group_id'], business_id: ['contact_id', 'group_id'] },
  }),
);

export type CreateConversation = v.InferOutput<typeof CreateConversation>;

/** Change to a conversation. Absent fields stay unchanged; null clears a nullable field. */
export const UpdateConversation = v.pipe(
  v.object({
    pinned_message_id: v.nullish(
      v.pipe(Id, v.description('Message to pin for all participants, or null to pin none.')),
    ),
    is_pinned: v.optional(
      v.pipe(boolean, v.description('Pins the conversation, for the caller only.')),
    ),
    is_muted: v.optional(
      v.pipe(boolean, v.description('Mutes the conversation, for the caller only.')),
    ),
    archived_at: v.nullish(
      v.pipe(
        Timestamp,
        v.description('Unix time of archiving, for the caller only; null unarchives.'),
      ),
    ),
    last_read_message_id: v.optional(
      v.pipe(Id, v.description('Marks messages up to this one as read; marks none as unread.')),
    ),
    mark_unread_from: v.optional(
      v.pipe(
        Id,
        v.description(
          'Marks this message and later ones as unread. Not allowed with `last_read_message_id`.',
        ),
      ),
    ),
    assigned_to: v.nullish(
      v.pipe(
        Assignee,
        v.description(
          'Member of the business’s staff to assign, or null; all staff see the assignment. With `If-Match`, only one of two concurrent requests succeeds. Not allowed with `pinned_message_id`.',
        ),
      ),
    ),
    expand,
  }),
  v.forward(
    v.partialCheck(
      [['pinned_message_id'], ['assigned_to']],
      (input) => input.pinned_message_id === undefined || input.assigned_to === undefined,
      'must not be combined with pinned_message_id',
    ),
    ['assigned_to'],
  ),
  v.forward(
    v.partialCheck(
      [['last_read_message_id'], ['mark_unread_from']],
      (input) => input.last_read_message_id === undefined || input.mark_unread_from === undefined,
      'must not be combined with last_read_message_id',
    ),
    ['mark_unread_from'],
  ),
);
