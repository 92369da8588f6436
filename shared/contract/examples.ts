import { type GenericSchema, type InferInput, type InferOutput, parse } from 'valibot';
import { BusinessRecord } from './business/business.ts';
import { toSnakeCaseBusiness } from './business/business-formats.ts';
import type { Operation } from './operation.ts';
import type { operations } from './operations.ts';
import type { Contact } from './resources/contact.ts';
import { fillMissingFields } from './schema/fill-missing-fields.ts';

export interface Example {
  as: 'ann' | 'bob';
  at: number;
  path?: unknown;
  query?: unknown;
  body?: unknown;
  reply: unknown;
}

type RequestPart<Schema, Name extends string> = Schema extends GenericSchema
  ? { [Key in Name]: InferInput<Schema> }
  : { [Key in Name]?: never };

type ExampleOf<Row extends Operation> = Example &
  RequestPart<Row['pathParameters'], 'path'> &
  RequestPart<Row['query'], 'query'> &
  RequestPart<Row['body'], 'body'> & { reply: InferOutput<Row['reply']> };

type Examples = { [Row in (typeof operations)[number] as Row['id']]: ExampleOf<Row> };

const start = Date.UTC(2026, 0, 1, 9) / 1000;
const conversation_id = '01KDWCJ2M0QFF02HK5NJZ6SR6E';
const message_id = '01KDWCJ2M0QFF02HK5NJZ6SR6E0000000101KDWCJ7G8';

const ann: Contact = {
  id: 'ann',
  username: 'ann',
  phone_number: '+15550100',
  avatar_url: 'https://cdn.example.com/ann.png',
  last_active_at: start,
  created_at: start,
};

const attachment = {
  name: 'menu.pdf',
  url: 'https://files.example.com/menu.pdf',
  type: 'application/pdf',
  size: 48_213,
};

const attachment_id = `${conversation_id}01KDWCMFRRSHH24KN7QM18VT8G`;
const photo = { name: 'lunch.jpg', type: 'image/jpeg', size: 84_512 };
/** Shortened: a real URL has more query parameters. */
const fileUrl = `https://files.s3.eu-central-1.amazonaws.com/files/${conversation_id}/01KDWCMFRRSHH24KN7QM18VT8G?X-Amz-Signature=6f1c…`;
/** SHA-256 of an empty file. */
const sha256 = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

const conversation = {
  id: conversation_id,
  contact_id: 'bob',
  group_id: null,
  pinned_message_id: null,
  is_pinned: false,
  is_muted: false,
  last_active_at: null,
  last_opened_at: null,
  created_at: start,
  archived_at: null,
};

/** First 40 hexadecimal digits of the SHA-256 of `contact#bob`. */
const feedOfBob = '14e3e5b8e59482d88c93c9193a4f8ec3e59fe842';

const message = {
  id: message_id,
  conversation_id,
  contact: ann,
  message: 'Lunch at noon?',
  reactions: [],
  attachments: [attachment],
  read_at: null,
  created_at: start + 5,
  updated_at: null,
};

const group_id = 'grp_01KDWCN0C0VKK46NQ9SP3AXWAJ';
const group = {
  id: group_id,
  title: 'Lunch club',
  avatar_url: null,
  created_by: 'ann',
  member_count: 2,
  created_at: start + 96,
  updated_at: start + 96,
};
const renamedGroup = {
  ...group,
  title: 'Friday lunch',
  member_count: 3,
  updated_at: start + 98,
};
const newMember = { contact_id: 'carol', role: 'admin', joined_at: start + 97 } as const;

const reactedTo = { ...message, read_at: start + 20, reactions: [{ thumbsup: ['bob'] }] };

const seenByBob = {
  ...conversation,
  contact_id: 'ann',
  last_active_at: start + 5,
  last_opened_at: start + 20,
};
const mutedByBob = { ...seenByBob, is_muted: true, pinned_message_id: message_id };

export const listing = parse(
  BusinessRecord,
  fillMissingFields(BusinessRecord, {
    public_id: 'aurora-cafe',
    slug: 'cafe-aurora-helsinki',
    title: 'Café Aurora',
    description: 'Coffee, cardamom buns and a quiet back room.',
    type: 'cafe',
    industry: 'gastronomy',
    address: 'Fleminginkatu 9, 00530 Helsinki, Finland',
    address_info: {
      borough: 'Kallio',
      address: 'Fleminginkatu 9',
      city: 'Helsinki',
      zip: '00530',
      region: 'Uusimaa',
      country_code: 'FI',
    },
    phone: '+358 9 5550 123',
    mail: 'hello@cafe-aurora.example',
    image: 'https://images.example.com/cafe-aurora.jpg',
    latitude: 60.187,
    longitude: 24.9508,
    attributes: { wifi: true, dogs: 'on the terrace' },
    work_time: {
      friday: [{ open: { hour: 8, minute: 0 }, close: { hour: 18, minute: 0 } }],
      saturday: [
        { open: { hour: 9, minute: 30 }, close: { hour: 14, minute: 0 } },
        { open: { hour: 22, minute: 0 }, close: { hour: 2, minute: 0 } },
      ],
    },
    business_links: [{ type: 'menu', title: 'Menu', url: 'https://cafe-aurora.example/menu' }],
    person: [{ 'person-id': 'aino', position: 'owner' }],
    created: '2024-05-02',
    price_level: 'moderate',
    employees_count: 6,
    founded: 2011,
    is_claimed: true,
    status: 'active',
    version: '3',
    'author-id': 'aino',
    timezone: 'Europe/Helsinki',
    date: '2026-01-01T09:00:00',
  }),
);

/**
 * One call per operation. The calls return these replies if they run in this order and at these
 * times, on a table that contains only `listing`. Only random ids and the queries of signed URLs
 * differ.
 */
export const examples: Examples = {
  'conversations/create': {
    as: 'ann',
    at: start,
    query: {},
    body: { contact_id: 'bob' },
    reply: conversation,
  },
  'messages/send': {
    as: 'ann',
    at: start + 5,
    query: {},
    body: { conversation_id, message: 'Lunch at noon?', attachments: [attachment] },
    reply: message,
  },
  'events/list': {
    as: 'bob',
    at: start + 10,
    query: { limit: 10 },
    reply: {
      has_more: false,
      data: [
        {
          id: `${conversation_id}-1`,
          type: 'conversation.created',
          created_at: start,
          feed: feedOfBob,
          place: 1,
          version: 2,
          payload: { ...conversation, contact_id: 'ann', last_active_at: start + 5 },
        },
        {
          id: `${message_id}-1`,
          type: 'message.created',
          created_at: start + 5,
          feed: feedOfBob,
          place: 2,
          version: 1,
          payload: message,
        },
      ],
    },
  },
  'live/retrieve': {
    as: 'bob',
    at: start + 15,
    reply: {
      url: 'wss://pl7kq.appsync-realtime-api.eu-central-1.amazonaws.com/event/realtime',
      host: 'pl7kq.appsync-api.eu-central-1.amazonaws.com',
      channels: [
        {
          name: '/inbox/14e3e5b8e59482d88c93c9193a4f8ec3e59fe842/490905',
          feed: '14e3e5b8e59482d88c93c9193a4f8ec3e59fe842',
          group_id: null,
          place: 2,
        },
      ],
      expires_at: start + 3600,
      expires_in: 3585,
      cursor: 'AYG2N9j80p00104AFOPluOWUAwI',
      is_complete: true,
    },
  },
  'messages/list': {
    as: 'bob',
    at: start + 20,
    query: { conversation_id, limit: 10 },
    reply: { has_more: false, data: [{ ...message, read_at: start + 20 }] },
  },
  'messages/retrieve': {
    as: 'ann',
    at: start + 30,
    path: { message_id },
    query: { peek: true },
    reply: { ...message, read_at: start + 20 },
  },
  'conversations/retrieve': {
    as: 'bob',
    at: start + 40,
    path: { conversation_id },
    query: { expand: ['contact'] },
    reply: { ...seenByBob, contact: ann },
  },
  'messages/update': {
    as: 'bob',
    at: start + 50,
    path: { message_id },
    query: {},
    body: { reactions: { thumbsup: ['bob'] } },
    reply: reactedTo,
  },
  'conversations/update': {
    as: 'bob',
    at: start + 60,
    path: { conversation_id },
    query: {},
    body: { pinned_message_id: message_id, is_muted: true, last_read_message_id: message_id },
    reply: mutedByBob,
  },
  'conversations/list': {
    as: 'bob',
    at: start + 70,
    query: { limit: 10, expand: ['last_message'] },
    reply: { has_more: false, data: [{ ...mutedByBob, last_message: reactedTo }] },
  },
  'contacts/retrieve': {
    as: 'bob',
    at: start + 75,
    path: { contact_id: 'ann' },
    reply: ann,
  },
  'readers/list': {
    as: 'ann',
    at: start + 78,
    path: { conversation_id },
    query: { limit: 10 },
    reply: {
      has_more: false,
      data: [{ contact_id: 'bob', last_read_message_id: message_id, last_opened_at: start + 20 }],
    },
  },
  'reports/create': {
    as: 'bob',
    at: start + 79,
    body: { message_id, reason: 'spam', note: 'Third invitation today.' },
    reply: {
      message_id,
      contact_id: null,
      public_id: null,
      reason: 'spam',
      note: 'Third invitation today.',
      created_at: start + 79,
    },
  },
  'settings/update': {
    as: 'ann',
    at: start + 79,
    body: { share_read_receipts: true },
    reply: { share_read_receipts: true, accept_groups_from: 'everyone' },
  },
  'settings/retrieve': {
    as: 'ann',
    at: start + 79,
    reply: { share_read_receipts: true, accept_groups_from: 'everyone' },
  },
  'attachments/create': {
    as: 'ann',
    at: start + 79,
    body: { conversation_id, ...photo, sha256 },
    reply: {
      id: attachment_id,
      ...photo,
      url: `/v1/attachments/${attachment_id}`,
      status: 'awaiting',
      upload: {
        method: 'PUT',
        url: fileUrl,
        headers: {
          'content-type': 'image/jpeg',
          'if-none-match': '*',
          'x-amz-checksum-sha256': sha256,
          'x-amz-tagging': 'state=pending',
        },
        expires_at: start + 79 + 900,
      },
    },
  },
  'attachments/retrieve': {
    as: 'ann',
    at: start + 79,
    path: { attachment_id },
    query: { redirect: false },
    reply: {
      url: fileUrl,
      expires_at: start + 79 + 300,
    },
  },
  'messages/delete': {
    as: 'ann',
    at: start + 80,
    path: { message_id },
    reply: { id: message_id, deleted: true },
  },
  'blocks/create': {
    as: 'ann',
    at: start + 82,
    path: { contact_id: 'bob' },
    reply: { contact_id: 'bob', created_at: start + 82 },
  },
  'blocks/list': {
    as: 'ann',
    at: start + 84,
    query: { limit: 10 },
    reply: { has_more: false, data: [{ contact_id: 'bob', created_at: start + 82 }] },
  },
  'blocks/delete': {
    as: 'ann',
    at: start + 86,
    path: { contact_id: 'bob' },
    reply: { id: 'bob', deleted: true },
  },
  'business/list': {
    as: 'bob',
    at: start + 90,
    query: { active: true, limit: 10 },
    reply: { has_more: false, data: [toSnakeCaseBusiness(listing)] },
  },
  'business/retrieve': {
    as: 'bob',
    at: start + 95,
    path: { public_id: listing.public_id },
    query: {},
    reply: toSnakeCaseBusiness(listing),
  },
  'groups/create': {
    as: 'ann',
    at: start + 96,
    body: { title: 'Lunch club', members: ['bob'] },
    reply: group,
  },
  'members/put': {
    as: 'ann',
    at: start + 97,
    path: { group_id, contact_id: 'carol' },
    body: { role: 'admin' },
    reply: newMember,
  },
  'groups/update': {
    as: 'ann',
    at: start + 98,
    path: { group_id },
    body: { title: 'Friday lunch' },
    reply: renamedGroup,
  },
  'groups/retrieve': {
    as: 'bob',
    at: start + 98,
    path: { group_id },
    reply: renamedGroup,
  },
  'groups/list': {
    as: 'bob',
    at: start + 98,
    query: { limit: 10 },
    reply: { has_more: false, data: [renamedGroup] },
  },
  'members/list': {
    as: 'bob',
    at: start + 98,
    path: { group_id },
    query: { limit: 10 },
    reply: {
      has_more: false,
      data: [
        { contact_id: 'ann', role: 'owner', joined_at: start + 96 },
        { contact_id: 'bob', role: 'member', joined_at: start + 96 },
        newMember,
      ],
    },
  },
  'members/remove': {
    as: 'ann',
    at: start + 99,
    path: { group_id, contact_id: 'carol' },
    reply: { id: 'carol', deleted: true },
  },
  'groups/delete': {
    as: 'ann',
    at: start + 99,
    path: { group_id },
    reply: { id: group_id, deleted: true },
  },
  'conversations/delete': {
    as: 'ann',
    at: start + 100,
    path: { conversation_id },
    reply: { id: conversation_id, deleted: true },
  },
};
