import * as v from 'valibot';
import { bodyErrors, type Operation, type ResourceDescriptions } from '../operation.ts';
import {
  AttachmentLink,
  CreateAttachment,
  NewAttachment,
  ThumbnailSize,
} from '../resources/attachment.ts';
import { Deleted } from '../resources/deleted.ts';
import { expandMessage } from '../resources/expand.ts';
import { Message, MessagePage, SendMessage, UpdateMessage } from '../resources/message.ts';
import { boolean, Id } from '../schema/field-types.ts';
import { listQuery } from '../schema/list-schema.ts';
import { blockErrors, peek, repeatErrors } from './shared-fields.ts';

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
  errors: [
    ...bodyErrors,
    ...repeatErrors,
    ...blockErrors,
    'not_allowed',
    'not_found',
    'not_uploaded',
  ],
  versioned: true,
  repeatable: true,
  calls: {
    conversations: ['BatchGetItem', 'UpdateItem', 'PutItem'],
    contacts: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem'],
    groups: ['UpdateItem'],
  },
  fileCalls: ['DeleteObjectTagging', 'ListBucket'],
  thumbnailCalls: ['DeleteObjectTagging'],
} as const satisfies Operation;

export const listMessages = {
  id: 'messages/list',
  method: 'GET',
  path: '/v1/messages',
  summary: 'List messages',
  description:
    "Lists messages, newest first. Listing one conversation marks the listed messages as read and the conversation as opened by the caller. Without `conversation_id`, lists the messages of all the caller's conversations and marks nothing as read or opened. `peek=true` prevents both marks.",
  query: listQuery({
    conversation_id: v.optional(
      v.pipe(Id, v.description('Conversation whose messages to list. Default: all conversations.')),
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
    contacts: ['GetItem', 'BatchGetItem', 'Query'],
    groups: ['BatchGetItem'],
    inboxes: ['Query'],
  },
} as const satisfies Operation;

export const retrieveMessage = {
  id: 'messages/retrieve',
  method: 'GET',
  path: '/v1/messages/{message_id}',
  summary: 'Retrieve a message',
  description: 'Returns a message. Marks it as read if another member sent it, unless `peek=true`.',
  pathParameters: v.object({ message_id: Id }),
  query: v.object({ peek, expand: expandMessage }),
  reply: Message,
  status: 200,
  errors: ['parameter_invalid', 'not_found'],
  versioned: true,
  calls: { conversations: ['BatchGetItem', 'UpdateItem'], contacts: ['GetItem', 'BatchGetItem'] },
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
  errors: [
    ...bodyErrors,
    ...blockErrors,
    'not_allowed',
    'not_found',
    'precondition_failed',
    'reactions_full',
  ],
  versioned: true,
  calls: {
    conversations: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    contacts: ['GetItem', 'BatchGetItem', 'UpdateItem'],
  },
} as const satisfies Operation;

export const deleteMessage = {
  id: 'messages/delete',
  method: 'DELETE',
  path: '/v1/messages/{message_id}',
  summary: 'Delete a message',
  description:
    'Permanently deletes the message for all participants, and unpins it. Only its sender can delete it.',
  pathParameters: v.object({ message_id: Id }),
  reply: Deleted,
  status: 200,
  errors: [...blockErrors, 'not_allowed', 'not_found', 'precondition_failed'],
  calls: {
    conversations: ['BatchGetItem', 'BatchWriteItem', 'GetItem', 'Query', 'UpdateItem'],
    contacts: ['GetItem'],
  },
} as const satisfies Operation;

export const createAttachment = {
  id: 'attachments/create',
  method: 'POST',
  path: '/v1/attachments',
  summary: 'Upload an attachment',
  description:
    'Returns a URL that accepts one PUT request with exactly the described bytes. After the upload, send the id in a message of the conversation. A file that no message contains is removed after 24 hours. A sent file is removed with its message.',
  body: CreateAttachment,
  reply: NewAttachment,
  status: 201,
  errors: [
    ...bodyErrors,
    ...repeatErrors,
    ...blockErrors,
    'not_allowed',
    'not_found',
    'uploads_exceeded',
  ],
  repeatable: true,
  calls: {
    conversations: ['BatchGetItem', 'PutItem'],
    contacts: ['GetItem', 'PutItem', 'UpdateItem'],
    uploadCounts: ['UpdateItem'],
  },
  fileCalls: ['PutObject', 'PutObjectTagging'],
  feature: 'attachments',
} as const satisfies Operation;

export const retrieveAttachment = {
  id: 'attachments/retrieve',
  method: 'GET',
  path: '/v1/attachments/{attachment_id}',
  summary: 'Download an attachment',
  description:
    'Redirects to a file URL that is valid for five minutes. Users who can retrieve the message can download its files. Before the message is sent, only the uploader can download them. Browsers display images, audio and video, and save other files. With `size`, redirects to a thumbnail of an image. A file is unavailable while it is being scanned for malware. It remains unavailable if it is infected or, on some stages, if it cannot be scanned.',
  pathParameters: v.object({ attachment_id: Id }),
  query: v.object({
    redirect: v.optional(
      v.pipe(
        boolean,
        v.description('`false` returns the URL with status 200 instead of redirecting to it.'),
      ),
      true,
    ),
    size: v.optional(ThumbnailSize),
  }),
  reply: AttachmentLink,
  status: 200,
  redirects: true,
  errors: ['parameter_invalid', 'not_found', 'not_scanned', 'infected'],
  calls: { conversations: ['BatchGetItem', 'GetItem'], contacts: ['GetItem'] },
  fileCalls: ['GetObject', 'ListBucket'],
  thumbnailCalls: ['GetObject'],
  feature: 'attachments',
} as const satisfies Operation;

const operations = [
  listMessages,
  sendMessage,
  retrieveMessage,
  updateMessage,
  deleteMessage,
  createAttachment,
  retrieveAttachment,
] as const satisfies readonly Operation[];

export default {
  title: 'Messages',
  operations,
  resources: {
    messages: 'The messages of a conversation.',
    attachments:
      'Files that users upload for a message. A file is removed with its message or, if no message contains it, after a day.',
  } satisfies ResourceDescriptions<typeof operations>,
};
