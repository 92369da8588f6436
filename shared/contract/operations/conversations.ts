import * as v from 'valibot';
import { bodyErrors, type Operation, type ResourceDescriptions } from '../operation.ts';
import { checkAssignmentConflicts } from '../resources/assignment.ts';
import {
  Conversation,
  ConversationPage,
  CreateConversation,
  UpdateConversation,
} from '../resources/conversation.ts';
import { Deleted } from '../resources/deleted.ts';
import { checkExcludeConflicts, exclude } from '../resources/exclude.ts';
import { expand } from '../resources/expand.ts';
import { ReaderPage } from '../resources/reader.ts';
import { ExternalId, flag, Id } from '../schema/field-types.ts';
import { listQuery } from '../schema/list-schema.ts';
import { blockErrors, repeatErrors } from './shared-fields.ts';

export const createConversation = {
  id: 'conversations/create',
  method: 'POST',
  path: '/v1/conversations',
  summary: 'Create a conversation',
  description:
    'Creates a conversation with a contact, with a group, with both (a group conversation that also includes the contact), or with a business. With `distinct=true`, returns the distinct conversation with the contact or the business, or creates it.',
  query: v.object({ expand }),
  body: CreateConversation,
  reply: Conversation,
  status: 201,
  statusIfExists: 200,
  errors: [...bodyErrors, ...repeatErrors, ...blockErrors, 'not_allowed', 'not_found'],
  versioned: true,
  repeatable: true,
  calls: {
    conversations: ['BatchGetItem', 'PutItem', 'Query', 'UpdateItem'],
    contacts: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    groups: ['UpdateItem'],
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
    contacts: ['GetItem', 'BatchGetItem'],
    businesses: ['BatchGetItem'],
  },
} as const satisfies Operation;

export const listConversations = {
  id: 'conversations/list',
  method: 'GET',
  path: '/v1/conversations',
  summary: 'List conversations',
  description:
    "Lists the caller's conversations, most recent activity first. With `muted`, `archived`, `pinned` or `assigned_to`, lists the newest conversation first. Most filters can be combined. `exclude[]` omits muted, archived or pinned conversations.",
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
            'Only direct conversations with this contact; with `group_id`, only conversations of that group that have this `contact_id`.',
          ),
        ),
      ),
      assigned_to: v.optional(
        v.pipe(
          ExternalId,
          v.description(
            "Only conversations with the caller's businesses, assigned to this contact, to the caller (`me`) or to no one (`nobody`). Can be combined only with `group_id`.",
          ),
        ),
      ),
      exclude,
      expand,
    }),
    checkExcludeConflicts(),
    checkAssignmentConflicts(),
  ),
  reply: ConversationPage,
  status: 200,
  errors: ['parameter_invalid', 'too_many_conversations'],
  list: true,
  calls: {
    conversations: ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem'],
    contacts: ['GetItem', 'BatchGetItem', 'Query'],
    groups: ['BatchGetItem', 'UpdateItem'],
    inboxes: ['Query'],
    flagged: ['Query'],
    assigned: ['Query'],
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
    'Changes the given fields. `last_read_message_id` also sets the `read_at` of messages.',
  pathParameters: v.object({ conversation_id: Id }),
  query: v.object({ expand }),
  body: UpdateConversation,
  reply: Conversation,
  status: 200,
  errors: [...bodyErrors, ...blockErrors, 'not_allowed', 'not_found', 'precondition_failed'],
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
    contacts: ['GetItem', 'BatchGetItem'],
    businesses: ['BatchGetItem'],
  },
} as const satisfies Operation;

export const deleteConversation = {
  id: 'conversations/delete',
  method: 'DELETE',
  path: '/v1/conversations/{conversation_id}',
  summary: 'Delete a conversation',
  description:
    'Permanently deletes the conversation and all its messages for all participants. Allowed for its creator, for the other contact of a direct conversation and, in a user-created group, for owners and admins.',
  pathParameters: v.object({ conversation_id: Id }),
  reply: Deleted,
  status: 200,
  errors: [...blockErrors, 'not_allowed', 'not_found', 'precondition_failed'],
  calls: {
    conversations: ['BatchGetItem', 'ConditionCheckItem', 'UpdateItem'],
    contacts: ['GetItem'],
  },
} as const satisfies Operation;

export const listReaders = {
  id: 'readers/list',
  method: 'GET',
  path: '/v1/conversations/{conversation_id}/readers',
  summary: 'List readers of a conversation',
  description:
    'Lists the contacts who have opened the conversation, including the caller, most recent opening first. Does not mark messages as read. Omits contacts who have disabled `share_read_receipts`. If the caller has disabled it, the list is empty.',
  pathParameters: v.object({ conversation_id: Id }),
  query: listQuery({}),
  reply: ReaderPage,
  status: 200,
  errors: ['parameter_invalid', 'not_found', 'too_many_readers'],
  list: true,
  feature: 'readReceipts',
  calls: { conversations: ['BatchGetItem', 'Query'], contacts: ['GetItem', 'BatchGetItem'] },
} as const satisfies Operation;

const operations = [
  listConversations,
  createConversation,
  retrieveConversation,
  updateConversation,
  deleteConversation,
  listReaders,
] as const satisfies readonly Operation[];

export default {
  title: 'Conversations',
  operations,
  resources: {
    conversations:
      'Conversations of users and groups. Participants share them, but each participant pins, mutes and archives them separately.',
    readers:
      'Contacts who have opened a conversation, each with the last message that they have read.',
  } satisfies ResourceDescriptions<typeof operations>,
};
