import type { GenericSchema, InferInput, InferOutput } from 'valibot';
import type { Contact } from './contact.ts';
import type { Operation } from './operation.ts';
import type { operations } from './operations.ts';

/** A call as one of the story's two people makes it, and what it gives. */
export interface Example {
  as: 'ann' | 'bob';
  /** When it happens, in Unix seconds. */
  at: number;
  path?: unknown;
  query?: unknown;
  body?: unknown;
  reply: unknown;
}

type Given<Schema, Name extends string> = Schema extends GenericSchema
  ? { [Key in Name]: InferInput<Schema> }
  : { [Key in Name]?: never };

type ExampleOf<Row extends Operation> = Example &
  Given<Row['pathParameters'], 'path'> &
  Given<Row['query'], 'query'> &
  Given<Row['body'], 'body'> & { reply: InferOutput<Row['reply']> };

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

/**
 * One call of each operation, with its reply. Read from the top it is a story: done in this order at these times, on a
 * table with nothing in it, the calls give exactly these replies.
 */
export const examples: Examples = {
  'conversations/create': {
    as: 'ann',
    at: start,
    body: { contact_id: 'bob' },
    reply: conversation,
  },
  'messages/send': {
    as: 'ann',
    at: start + 5,
    body: { conversation_id, message: 'Lunch at noon?', attachments: [attachment] },
    reply: message,
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
    reply: { ...message, read_at: start + 20 },
  },
  'conversations/retrieve': {
    as: 'bob',
    at: start + 40,
    path: { conversation_id },
    reply: {
      ...conversation,
      contact_id: 'ann',
      last_active_at: start + 5,
      last_opened_at: start + 20,
    },
  },
};
