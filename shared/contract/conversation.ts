import * as v from 'valibot';
import { Contact } from './contact.ts';
import { expand, maxUnread } from './expand.ts';
import { listOf } from './list.ts';
import { Message } from './message.ts';
import { boolean, Id, integer, OutsideId, Timestamp } from './values.ts';

/**
 * A conversation as one participant sees it: `contact_id` is the other contact, and the pin, the
 * mute, the archive and the opening time are the participant's own.
 */
export const Conversation = v.strictObject({
  id: v.string(),
  contact_id: v.nullable(OutsideId),
  group_id: v.nullable(OutsideId),
  pinned_message_id: v.nullable(v.string()),
  is_pinned: v.boolean(),
  is_muted: v.boolean(),
  last_active_at: v.nullable(Timestamp),
  last_opened_at: v.nullable(Timestamp),
  created_at: Timestamp,
  archived_at: v.nullable(Timestamp),
  contact: v.optional(
    v.pipe(
      v.nullable(Contact),
      v.description('Only with `expand[]=contact`: the other contact, null where there is none.'),
    ),
  ),
  last_message: v.optional(
    v.pipe(
      v.nullable(Message),
      v.description('Only with `expand[]=last_message`: the newest one, null where there is none.'),
    ),
  ),
  unread_count: v.optional(
    v.pipe(
      integer(0, maxUnread),
      v.description(
        `Only with \`expand[]=unread_count\`: others’ messages that the caller has not been given; ${maxUnread} is ${maxUnread} or more.`,
      ),
    ),
  ),
});
export type Conversation = v.InferOutput<typeof Conversation>;

export const ConversationPage = listOf(Conversation);

const anyRequired = ['contact_id', 'group_id'] as const;

/** With both, a group conversation that the named contact takes part in too. */
export const CreateConversation = v.pipe(
  v.object({
    contact_id: v.nullish(OutsideId),
    group_id: v.nullish(OutsideId),
    distinct: v.optional(
      v.pipe(
        boolean,
        v.description(
          'The one direct conversation with the contact: that which there is (200), or a new one (201). Not together with `group_id`.',
        ),
      ),
      false,
    ),
    expand,
  }),
  v.forward(
    v.check(
      (given) => anyRequired.some((name) => typeof given[name] === 'string'),
      "or 'group_id' is required",
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
  v.metadata({ anyRequired }),
);

export type CreateConversation = v.InferOutput<typeof CreateConversation>;

/** Absent fields stay as they are; null clears. */
export const UpdateConversation = v.object({
  pinned_message_id: v.nullish(Id),
  is_pinned: v.optional(boolean),
  is_muted: v.optional(boolean),
  archived_at: v.nullish(Timestamp),
  last_read_message_id: v.optional(
    v.pipe(
      Id,
      v.description(
        'The caller has read everything up to this message, as if it had been listed: for another device, or what came by another way. It never goes back.',
      ),
    ),
  ),
  expand,
});
