import * as v from 'valibot';
import { BusinessPage, CamelBusinessPage } from './business.ts';
import { Contact } from './contact.ts';
import {
  Conversation,
  ConversationPage,
  CreateConversation,
  UpdateConversation,
} from './conversation.ts';
import { Deleted } from './deleted.ts';
import { EventPage } from './event.ts';
import { exclude, excludesNothingWanted } from './exclude.ts';
import { expand } from './expand.ts';
import { listQuery, pageParameters } from './list.ts';
import { Live } from './live.ts';
import { Message, MessagePage, SendMessage, UpdateMessage } from './message.ts';
import type { Operation } from './operation.ts';
import { boolean, Id, OutsideId } from './values.ts';

const repeatErrors = ['idempotency_key_reused', 'request_in_progress'] as const;

/** A look that leaves everything unread. */
const peek = v.optional(
  v.pipe(boolean, v.description('Gives the same, and marks nothing as read or opened.')),
  false,
);

const bodyErrors = [
  'parameter_missing',
  'parameter_invalid',
  'body_malformed',
  'body_too_large',
  'content_type_unsupported',
] as const;

export const sendMessage = {
  id: 'messages/send',
  method: 'POST',
  path: '/v1/messages',
  summary: 'Send a message',
  description: 'Appends a message to a conversation that the caller takes part in.',
  body: SendMessage,
  reply: Message,
  status: 201,
  errors: [...bodyErrors, ...repeatErrors, 'not_found'],
  versioned: true,
  repeatable: true,
  calls: {
    conversations: ['UpdateItem', 'PutItem'],
    contacts: ['GetItem', 'UpdateItem', 'PutItem'],
  },
} as const satisfies Operation;

export const listMessages = {
  id: 'messages/list',
  method: 'GET',
  path: '/v1/messages',
  summary: 'List messages',
  description:
    'Newest first. Those of one conversation are marked as read, and it as opened by the caller. Without `conversation_id`, those of all conversations that the caller takes part in; that marks nothing, and neither does `peek=true`.',
  query: listQuery({
    conversation_id: v.optional(
      v.pipe(Id, v.description('The conversation whose messages are listed; without it, all.')),
    ),
    peek,
  }),
  reply: MessagePage,
  status: 200,
  errors: ['parameter_invalid', 'not_found', 'too_many_conversations'],
  list: true,
  calls: {
    conversations: ['BatchGetItem', 'BatchWriteItem', 'Query', 'UpdateItem', 'PutItem'],
    contacts: ['BatchGetItem'],
    inboxes: ['Query'],
  },
} as const satisfies Operation;

export const retrieveMessage = {
  id: 'messages/retrieve',
  method: 'GET',
  path: '/v1/messages/{message_id}',
  summary: 'Retrieve a message',
  description: 'Marks it as read when the caller did not send it, unless it is with `peek=true`.',
  pathParameters: v.object({ message_id: Id }),
  query: v.object({ peek }),
  reply: Message,
  status: 200,
  errors: ['parameter_invalid', 'not_found'],
  versioned: true,
  calls: { conversations: ['BatchGetItem', 'UpdateItem'], contacts: ['BatchGetItem'] },
} as const satisfies Operation;

export const createConversation = {
  id: 'conversations/create',
  method: 'POST',
  path: '/v1/conversations',
  summary: 'Create a conversation',
  description:
    'With a contact, with a group, or with both: then a group conversation that the contact takes part in too. With `distinct=true` the one direct conversation with the contact, made if there is none.',
  query: v.object({ expand }),
  body: CreateConversation,
  reply: Conversation,
  status: 201,
  statusOfFound: 200,
  errors: [...bodyErrors, ...repeatErrors, 'not_allowed'],
  versioned: true,
  repeatable: true,
  calls: {
    conversations: ['BatchGetItem', 'PutItem', 'Query', 'UpdateItem'],
    contacts: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    distinctPairs: ['GetItem', 'UpdateItem'],
    pairs: ['Query'],
  },
} as const satisfies Operation;

export const retrieveConversation = {
  id: 'conversations/retrieve',
  method: 'GET',
  path: '/v1/conversations/{conversation_id}',
  summary: 'Retrieve a conversation',
  description: 'As the caller sees it.',
  pathParameters: v.object({ conversation_id: Id }),
  query: v.object({ expand }),
  reply: Conversation,
  status: 200,
  errors: ['parameter_invalid', 'not_found'],
  versioned: true,
  calls: {
    conversations: ['BatchGetItem', 'Query', 'UpdateItem'],
    contacts: ['BatchGetItem'],
  },
} as const satisfies Operation;

export const updateMessage = {
  id: 'messages/update',
  method: 'PUT',
  path: '/v1/messages/{message_id}',
  summary: 'Update a message',
  description:
    'Changes what is given. Text and attachments are for the sender to change; a reaction is for everybody to add or take back, each their own.',
  pathParameters: v.object({ message_id: Id }),
  body: UpdateMessage,
  reply: Message,
  status: 200,
  errors: [...bodyErrors, 'not_allowed', 'not_found', 'precondition_failed', 'reactions_full'],
  versioned: true,
  calls: {
    conversations: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    contacts: ['BatchGetItem', 'UpdateItem'],
  },
} as const satisfies Operation;

export const deleteMessage = {
  id: 'messages/delete',
  method: 'DELETE',
  path: '/v1/messages/{message_id}',
  summary: 'Delete a message',
  description:
    'For everybody and for good; only its sender can. If it was pinned, nothing is pinned any more.',
  pathParameters: v.object({ message_id: Id }),
  reply: Deleted,
  status: 200,
  errors: ['not_allowed', 'not_found', 'precondition_failed'],
  calls: {
    conversations: ['BatchGetItem', 'BatchWriteItem', 'GetItem', 'Query', 'UpdateItem'],
  },
} as const satisfies Operation;

export const listConversations = {
  id: 'conversations/list',
  method: 'GET',
  path: '/v1/conversations',
  summary: 'List conversations',
  description:
    'Those the caller takes part in, the most recently active first; with any of `muted`, `archived`, `pinned` the newest conversation first. Filters combine, and `exclude[]` leaves out.',
  query: v.pipe(
    listQuery({
      muted: v.optional(v.pipe(boolean, v.description('Only those the caller has muted.')), false),
      archived: v.optional(
        v.pipe(boolean, v.description('Only those the caller has archived.')),
        false,
      ),
      pinned: v.optional(
        v.pipe(boolean, v.description('Only those the caller has pinned.')),
        false,
      ),
      group_id: v.optional(v.pipe(OutsideId, v.description('Only those of this group.'))),
      contact_id: v.optional(
        v.pipe(
          OutsideId,
          v.description(
            'Only the direct ones with this contact; with `group_id`, those of the group whose `contact_id` it is.',
          ),
        ),
      ),
      exclude,
      expand,
    }),
    excludesNothingWanted(),
  ),
  reply: ConversationPage,
  status: 200,
  errors: ['parameter_invalid', 'too_many_conversations'],
  list: true,
  calls: {
    conversations: ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem'],
    contacts: ['BatchGetItem'],
    inboxes: ['Query'],
    flagged: ['Query'],
    pairs: ['Query'],
    named: ['Query'],
  },
} as const satisfies Operation;

export const updateConversation = {
  id: 'conversations/update',
  method: 'PUT',
  path: '/v1/conversations/{conversation_id}',
  summary: 'Update a conversation',
  description:
    'Changes what is given. The pinned message is shared; the pin, the mute, the archive and what was read last are the caller’s own.',
  pathParameters: v.object({ conversation_id: Id }),
  query: v.object({ expand }),
  body: UpdateConversation,
  reply: Conversation,
  status: 200,
  errors: [...bodyErrors, 'not_found', 'precondition_failed'],
  versioned: true,
  calls: {
    conversations: [
      'BatchGetItem',
      'BatchWriteItem',
      'ConditionCheckItem',
      'PutItem',
      'Query',
      'UpdateItem',
    ],
    contacts: ['BatchGetItem'],
  },
} as const satisfies Operation;

export const deleteConversation = {
  id: 'conversations/delete',
  method: 'DELETE',
  path: '/v1/conversations/{conversation_id}',
  summary: 'Delete a conversation',
  description:
    'With all its messages, for everybody and for good. For its creator, and in a direct conversation for the other contact too.',
  pathParameters: v.object({ conversation_id: Id }),
  reply: Deleted,
  status: 200,
  errors: ['not_allowed', 'not_found', 'precondition_failed'],
  calls: { conversations: ['BatchGetItem', 'ConditionCheckItem', 'UpdateItem'] },
} as const satisfies Operation;

export const retrieveContact = {
  id: 'contacts/retrieve',
  method: 'GET',
  path: '/v1/contacts/{contact_id}',
  summary: 'Retrieve a contact',
  description:
    'Of anybody with whom the caller shares a conversation, and of the caller. Who has never written here has an id, and nulls.',
  pathParameters: v.object({ contact_id: OutsideId }),
  reply: Contact,
  status: 200,
  errors: ['parameter_invalid', 'not_found'],
  versioned: true,
  calls: {
    conversations: ['BatchGetItem'],
    contacts: ['BatchGetItem'],
    groupInboxes: ['Query'],
    pairs: ['Query'],
    named: ['Query'],
  },
} as const satisfies Operation;

export const listBusinesses = {
  id: 'business/list',
  method: 'GET',
  path: '/v1/business',
  summary: 'List businesses',
  description: 'In the order of their public ids; the same for every caller.',
  query: listQuery({
    active: v.optional(
      v.pipe(boolean, v.description('Only those whose `status` is `active`.')),
      false,
    ),
    format: v.optional(
      v.pipe(
        v.picklist(['snake_case', 'camelCase'], 'must be snake_case or camelCase'),
        v.description('Which of the two field sets the reply has.'),
      ),
      'snake_case',
    ),
  }),
  reply: v.union([BusinessPage, CamelBusinessPage]),
  status: 200,
  errors: ['parameter_invalid'],
  list: true,
  calls: { businesses: ['Query'], activeBusinesses: ['Query'] },
} as const satisfies Operation;

export const listEvents = {
  id: 'events/list',
  method: 'GET',
  path: '/v1/events',
  summary: 'List events',
  description:
    'What has happened in the caller’s conversations within 30 days, oldest first: their own feed and those of their groups, merged. Things are shown as they are now. There is a `next` link always, to go on from: nothing is skipped on the way, something may come twice. A page may have fewer than asked for; `has_more` says whether to go on at once.',
  query: v.object({
    limit: pageParameters.limit,
    starting_after: v.optional(
      v.pipe(
        Id,
        v.description(
          'A cursor, from a `next` link or from `GET /v1/live`: continue after it. Without it, from the oldest event that is kept.',
        ),
      ),
    ),
  }),
  reply: EventPage,
  status: 200,
  errors: ['parameter_invalid', 'cursor_expired'],
  list: true,
  endless: true,
  feature: 'events',
  calls: {
    conversations: ['BatchGetItem'],
    contacts: ['BatchGetItem'],
    feeds: ['Query'],
    epoch: ['GetItem'],
  },
} as const satisfies Operation;

export const retrieveLive = {
  id: 'live/retrieve',
  method: 'GET',
  path: '/v1/live',
  summary: 'Retrieve where to listen',
  description:
    'The cursor of now for `GET /v1/events`; and where to listen and until when, in stages that push.',
  reply: Live,
  status: 200,
  errors: [],
  feature: 'events',
  calls: { feeds: ['Query'], epoch: ['GetItem'] },
} as const satisfies Operation;

/** The API: the one list that everything else reads. */
export const operations = [
  listMessages,
  sendMessage,
  retrieveMessage,
  updateMessage,
  deleteMessage,
  listConversations,
  createConversation,
  retrieveConversation,
  updateConversation,
  deleteConversation,
  retrieveContact,
  listBusinesses,
  listEvents,
  retrieveLive,
] as const satisfies readonly Operation[];
