import * as v from 'valibot';
import { bodyErrors, type Operation, type ResourceDescriptions } from '../operation.ts';
import { Block, BlockPage } from '../resources/block.ts';
import { Contact } from '../resources/contact.ts';
import { Deleted } from '../resources/deleted.ts';
import { PersonSettings, UpdatePersonSettings } from '../resources/person-settings.ts';
import { CreateReport, Report } from '../resources/report.ts';
import { ExternalId } from '../schema/field-types.ts';
import { listQuery } from '../schema/list-schema.ts';
import { repeatErrors } from './shared-fields.ts';

/** Operations on settings, blocks and reports are rare, so one function serves all of them. */
const sharedFunction = 'people';

const blockPath = {
  path: '/v1/blocks/{contact_id}',
  pathParameters: v.object({ contact_id: ExternalId }),
} as const;

export const retrieveContact = {
  id: 'contacts/retrieve',
  method: 'GET',
  path: '/v1/contacts/{contact_id}',
  summary: 'Retrieve a contact',
  description:
    "Returns the caller, or a contact who shares a conversation or a user-created group with the caller. Until a contact's first write request, all fields except the id are null.",
  pathParameters: v.object({ contact_id: ExternalId }),
  reply: Contact,
  status: 200,
  errors: ['parameter_invalid', 'not_found'],
  versioned: true,
  calls: {
    conversations: ['BatchGetItem'],
    contacts: ['BatchGetItem', 'Query'],
    groups: ['BatchGetItem'],
    groupInboxes: ['Query'],
    pairs: ['Query'],
    namingConversations: ['Query'],
  },
} as const satisfies Operation;

export const retrieveSettings = {
  id: 'settings/retrieve',
  method: 'GET',
  path: '/v1/settings',
  summary: "Retrieve the caller's settings",
  description: "Returns the caller's settings for all conversations and groups.",
  reply: PersonSettings,
  status: 200,
  errors: [],
  sharedFunction,
  calls: { contacts: ['GetItem'] },
} as const satisfies Operation;

export const updateSettings = {
  id: 'settings/update',
  method: 'PUT',
  path: '/v1/settings',
  summary: "Update the caller's settings",
  description: 'Changes the given fields.',
  body: UpdatePersonSettings,
  reply: PersonSettings,
  status: 200,
  errors: [...bodyErrors, 'not_allowed'],
  sharedFunction,
  calls: { contacts: ['GetItem', 'UpdateItem'] },
} as const satisfies Operation;

export const createBlock = {
  id: 'blocks/create',
  method: 'PUT',
  ...blockPath,
  summary: 'Block a contact',
  description:
    'After the reply, neither the caller nor the contact can write in their direct conversations or create one. Both can still read the existing ones. The contact is not notified. Group conversations are unaffected. Repeating the request returns the same block.',
  reply: Block,
  status: 200,
  errors: ['parameter_invalid', 'not_allowed'],
  sharedFunction,
  calls: {
    conversations: ['PutItem', 'Query', 'UpdateItem'],
    pairs: ['Query'],
    contacts: ['UpdateItem'],
    distinctPairs: ['ConditionCheckItem', 'UpdateItem'],
  },
} as const satisfies Operation;

export const deleteBlock = {
  id: 'blocks/delete',
  method: 'DELETE',
  ...blockPath,
  summary: 'Unblock a contact',
  description:
    'Lets the caller and the contact write in their direct conversations again, unless the contact has blocked the caller.',
  reply: Deleted,
  status: 200,
  errors: ['parameter_invalid', 'not_found'],
  sharedFunction,
  calls: {
    conversations: ['UpdateItem'],
    pairs: ['Query'],
    contacts: ['DeleteItem'],
    distinctPairs: ['DeleteItem', 'UpdateItem'],
  },
} as const satisfies Operation;

export const listBlocks = {
  id: 'blocks/list',
  method: 'GET',
  path: '/v1/blocks',
  summary: 'List blocked contacts',
  description: 'Lists the contacts whom the caller has blocked, newest first.',
  query: listQuery({}),
  reply: BlockPage,
  status: 200,
  errors: ['parameter_invalid'],
  list: true,
  sharedFunction,
  calls: { contacts: ['Query'], distinctPairs: ['GetItem'] },
} as const satisfies Operation;

export const createReport = {
  id: 'reports/create',
  method: 'POST',
  path: '/v1/reports',
  summary: 'Report a message, contact or business',
  description:
    'Sends the operators a report with a copy of its subject: the message, contact or business. Other users do not see the report. Reporting the same subject again within 90 days returns the first report.',
  body: CreateReport,
  reply: Report,
  status: 201,
  statusIfExists: 200,
  errors: [...bodyErrors, ...repeatErrors, 'not_allowed', 'not_found'],
  repeatable: true,
  sharedFunction,
  calls: {
    conversations: ['BatchGetItem'],
    contacts: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
    businesses: ['GetItem'],
    groups: ['BatchGetItem'],
    groupInboxes: ['Query'],
    pairs: ['Query'],
    namingConversations: ['Query'],
  },
} as const satisfies Operation;

const operations = [
  retrieveSettings,
  updateSettings,
  retrieveContact,
  listBlocks,
  createBlock,
  deleteBlock,
  createReport,
] as const satisfies readonly Operation[];

export default {
  title: 'Contacts',
  operations,
  resources: {
    contacts: 'Profiles of participants, from their tokens.',
    settings: "The caller's settings for all conversations and groups.",
    blocks: 'Contacts whom the caller has blocked.',
    reports: 'Reports of messages, contacts and businesses, for the operators.',
  } satisfies ResourceDescriptions<typeof operations>,
};
