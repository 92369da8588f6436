import * as v from 'valibot';
import { bodyErrors, type Operation } from '../operation.ts';
import {
  AttachmentLink,
  CreateAttachment,
  NewAttachment,
  ThumbnailSize,
} from '../resources/attachment.ts';
import { boolean, Id } from '../schema/field-types.ts';
import { blockErrors, repeatErrors } from './shared-fields.ts';

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
    'Redirects to a URL of the file that is valid for five minutes. Users who can retrieve the message can download its files. Before the message is sent, only the uploader can. Browsers display images, audio and video, and save other files. With `size`, redirects to a thumbnail of an image. Files that are infected or not yet scanned for malware are not available.',
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
