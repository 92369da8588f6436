import * as v from 'valibot';
import { Business, BusinessPage, CamelBusiness, CamelBusinessPage } from './business/business.ts';
import { format } from './business/business-formats.ts';
import { expandBusiness } from './business/opening.ts';
import { bodyErrors, type Operation } from './operation.ts';
import { Contact } from './resources/contact.ts';
import {
  Conversation,
  ConversationPage,
  CreateConversation,
  UpdateConversation,
} from './resources/conversation.ts';
import { Deleted } from './resources/deleted.ts';
import { EventPage } from './resources/event.ts';
import { checkExcludeConflicts, exclude } from './resources/exclude.ts';
import { expand, expandMessage } from './resources/expand.ts';
import { Live } from './resources/live.ts';
import { Message, MessagePage, SendMessage, UpdateMessage } from './resources/message.ts';
import { ReaderPage } from './resources/reader.ts';
import { ExternalId, flag, Id } from './schema/field-types.ts';
import { listQuery, pageParameters } from './schema/list-schema.ts';

const repeatErrors = ['idempotency_key_reused', 'request_in_progress'] as const;

const peek = flag('Returns the same, but marks nothing as read or opened.');

export const sendMessage = {
  id: 'messages/send',
  method: 'POST',
  path: '/v1/messages',
  summary: 'Send a message',
  description: 'Appends a message to a conversation in which the caller participates.',
  query: v.object({ expand: expandMessage }),
  body: SendMessage,
  reply: Message,
  status: 201,
  errors: [...bodyErrors, ...repeatErrors, 'not_allowed', 'not_found'],
  versioned: true,
  repeatable: true,
  calls: {
    conversations: ['BatchGetItem', 'UpdateItem', 'PutItem'],
    contacts: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem'],
  },
} as const satisfies Operation;

export const listMessages = {
  id: 'messages/list',
  method: 'GET',
  path: '/v1/messages',
  summary: 'List messages',
  description:
    "Newest first. Listing one conversation marks its messages as read and the conversation as opened by the caller. Without `conversation_id`, lists the messages of all the caller's conversations; this, and `peek=true`, mark nothing.",
  query: listQuery({
    conversation_id: v.optional(
      v.pipe(Id, v.description('Conversation whose messages are listed; without it, all.')),
    ),
    peek,
    expand: expandMessage,
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
  description: 'Marks the message as read if another member sent it, unless `peek=true`.',
  pathParameters: v.object({ message_id: Id }),
  query: v.object({ peek, expand: expandMessage }),
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
    'With a contact, with a group, with both (a group conversation that also includes the contact), or with a business. With `distinct=true`, returns the distinct conversation with the contact or the business, or creates it.',
  query: v.object({ expand }),
  body: CreateConversation,
  reply: Conversation,
  status: 201,
  statusIfExists: 200,
  errors: [...bodyErrors, ...repeatErrors, 'not_allowed', 'not_found'],
  versioned: true,
  repeatable: true,
  calls: {
    conversations: ['BatchGetItem', 'PutItem', 'Query', 'UpdateItem'],
    contacts: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    distinctPairs: ['GetItem', 'UpdateItem'],
    pairs: ['Query'],
    namingConversations: ['Query'],
    businesses: ['GetItem', 'BatchGetItem'],
  },
} as const satisfies Operation;

export const retrieveConversation = {
  id: 'conversations/retrieve',
  method: 'GET',
  path: '/v1/conversations/{conversation_id}',
  summary: 'Retrieve a conversation',
  description: 'Returns the conversation as the caller sees it.',
  pathParameters: v.object({ conversation_id: Id }),
  query: v.object({ expand }),
  reply: Conversation,
  status: 200,
  errors: ['parameter_invalid', 'not_found'],
  versioned: true,
  calls: {
    conversations: ['BatchGetItem', 'Query', 'UpdateItem'],
    contacts: ['BatchGetItem'],
    businesses: ['BatchGetItem'],
  },
} as const satisfies Operation;

export const updateMessage = {
  id: 'messages/update',
  method: 'PUT',
  path: '/v1/messages/{message_id}',
  summary: 'Update a message',
  description:
    'Changes the given fields. Only the sender can change text and attachments; every participant can add and remove their own reactions.',
  pathParameters: v.object({ message_id: Id }),
  query: v.object({ expand: expandMessage }),
  body: UpdateMessage,
  reply: Message,
  status: 200,
  errors: [...bodyErrors, 'not_allowed', 'not_found', 'precondition_failed', 'reactions_full'],
  versioned: true,
  calls: {
    conversations: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    contacts: ['BatchGetItem', 'UpdateItem'],
  },
} as const satisfies Operation;

export const deleteMessage = {
  id: 'messages/delete',
  method: 'DELETE',
  path: '/v1/messages/{message_id}',
  summary: 'Delete a message',
  description:
    'Deletes the message for all participants, permanently. Only its sender can. If it was pinned, it is unpinned.',
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
    "The caller's conversations, most recent activity first; with any of `muted`, `archived`, `pinned`, newest conversation first. Filters combine, and `exclude[]` leaves conversations out.",
  query: v.pipe(
    listQuery({
      muted: flag('Only conversations that the caller has muted.'),
      archived: flag('Only conversations that the caller has archived.'),
      pinned: flag('Only conversations that the caller has pinned.'),
      group_id: v.optional(v.pipe(ExternalId, v.description('Only conversations of this group.'))),
      contact_id: v.optional(
        v.pipe(
          ExternalId,
          v.description(
            'Only direct conversations with this contact; with `group_id`, those of the group with this `contact_id`.',
          ),
        ),
      ),
      exclude,
      expand,
    }),
    checkExcludeConflicts(),
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
    namingConversations: ['Query'],
    businesses: ['BatchGetItem'],
  },
} as const satisfies Operation;

export const updateConversation = {
  id: 'conversations/update',
  method: 'PUT',
  path: '/v1/conversations/{conversation_id}',
  summary: 'Update a conversation',
  description:
    'Changes the given fields. The pinned message is shared; `is_pinned`, `is_muted`, `archived_at` and the read position belong to the caller.',
  pathParameters: v.object({ conversation_id: Id }),
  query: v.object({ expand }),
  body: UpdateConversation,
  reply: Conversation,
  status: 200,
  errors: [...bodyErrors, 'not_allowed', 'not_found', 'precondition_failed'],
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
    businesses: ['BatchGetItem'],
  },
} as const satisfies Operation;

export const deleteConversation = {
  id: 'conversations/delete',
  method: 'DELETE',
  path: '/v1/conversations/{conversation_id}',
  summary: 'Delete a conversation',
  description:
    'Deletes the conversation and all its messages for all participants, permanently. Allowed for its creator and, in a direct conversation, for the other contact.',
  pathParameters: v.object({ conversation_id: Id }),
  reply: Deleted,
  status: 200,
  errors: ['not_allowed', 'not_found', 'precondition_failed'],
  calls: { conversations: ['BatchGetItem', 'ConditionCheckItem', 'UpdateItem'] },
} as const satisfies Operation;

export const listReaders = {
  id: 'readers/list',
  method: 'GET',
  path: '/v1/conversations/{conversation_id}/readers',
  summary: 'List readers of a conversation',
  description:
    'Contacts who have opened the conversation, the caller included, most recent opening first. Marks nothing.',
  pathParameters: v.object({ conversation_id: Id }),
  query: listQuery({}),
  reply: ReaderPage,
  status: 200,
  errors: ['parameter_invalid', 'not_found', 'too_many_readers'],
  list: true,
  feature: 'readReceipts',
  calls: { conversations: ['BatchGetItem', 'Query'] },
} as const satisfies Operation;

export const retrieveContact = {
  id: 'contacts/retrieve',
  method: 'GET',
  path: '/v1/contacts/{contact_id}',
  summary: 'Retrieve a contact',
  description:
    'Returns a contact who shares a conversation with the caller, or the caller. A contact who has never written has an id, and nulls.',
  pathParameters: v.object({ contact_id: ExternalId }),
  reply: Contact,
  status: 200,
  errors: ['parameter_invalid', 'not_found'],
  versioned: true,
  calls: {
    conversations: ['BatchGetItem'],
    contacts: ['BatchGetItem'],
    groupInboxes: ['Query'],
    pairs: ['Query'],
    namingConversations: ['Query'],
  },
} as const satisfies Operation;

export const listBusinesses = {
  id: 'business/list',
  method: 'GET',
  path: '/v1/business',
  summary: 'List businesses',
  description: 'In the order of public ids; the same for every caller.',
  query: listQuery({
    active: flag('Only listings whose `status` is `active`.'),
    format,
    expand: expandBusiness,
  }),
  reply: v.union([BusinessPage, CamelBusinessPage]),
  status: 200,
  errors: ['parameter_invalid'],
  list: true,
  calls: { businesses: ['Query'], activeBusinesses: ['Query'] },
} as const satisfies Operation;

export const retrieveBusiness = {
  id: 'business/retrieve',
  method: 'GET',
  path: '/v1/business/{public_id}',
  summary: 'Retrieve a business',
  description: 'Returns the listing, active or not; the same for every caller.',
  pathParameters: v.object({
    public_id: v.pipe(ExternalId, v.description('The `public_id` of the business.')),
  }),
  query: v.object({ format, expand: expandBusiness }),
  reply: v.union([Business, CamelBusiness]),
  status: 200,
  errors: ['parameter_invalid', 'not_found'],
  versioned: true,
  calls: { businesses: ['GetItem'] },
} as const satisfies Operation;

export const listEvents = {
  id: 'events/list',
  method: 'GET',
  path: '/v1/events',
  summary: 'List events',
  description:
    "Events of the caller's conversations within the last 30 days, oldest first: their own feed and those of their groups, merged. Payloads show the current state. Always has a `next` link to continue from. No event is skipped; an event may occur twice. A page may have fewer events than requested; `has_more` says whether to continue at once.",
  query: v.object({
    limit: pageParameters.limit,
    starting_after: v.optional(
      v.pipe(
        Id,
        v.description(
          'Cursor from a `next` link or from `GET /v1/live`: continue after it. Without it, from the oldest retained event.',
        ),
      ),
    ),
  }),
  reply: EventPage,
  status: 200,
  errors: ['parameter_invalid', 'cursor_expired'],
  list: true,
  forwardOnly: true,
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
  summary: 'Retrieve push channels and cursor',
  description:
    'Returns the current cursor for `GET /v1/events`, and the push channels to subscribe to in stages with push.',
  reply: Live,
  status: 200,
  errors: [],
  feature: 'events',
  calls: { feeds: ['Query'], epoch: ['GetItem'] },
} as const satisfies Operation;

/** The API: the list that everything else reads. */
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
  listReaders,
  retrieveContact,
  listBusinesses,
  retrieveBusiness,
  listEvents,
  retrieveLive,
] as const satisfies readonly Operation[];
