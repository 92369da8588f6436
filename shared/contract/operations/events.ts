import * as v from 'valibot';
import type { Operation, ResourceDescriptions } from '../operation.ts';
import { EventPage } from '../resources/event.ts';
import { Live } from '../resources/live.ts';
import { Id } from '../schema/field-types.ts';
import { pageParameters } from '../schema/list-schema.ts';

export const listEvents = {
  id: 'events/list',
  method: 'GET',
  path: '/v1/events',
  summary: 'List events',
  description:
    "Lists the events of at least the last 30 days, oldest first. Merges the caller's own feed with the feeds of their groups. Payloads show the current state. Every page has a `next` link to continue from. Every event is listed, but an event may appear twice. A page may have fewer events than requested; continue at once if `has_more` is true.",
  query: v.object({
    limit: pageParameters.limit,
    starting_after: v.optional(
      v.pipe(
        Id,
        v.description(
          'Cursor from a `next` link or from `GET /v1/live`. Lists the events after the cursor. Without a cursor, starts with the oldest retained event.',
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
    conversations: ['BatchGetItem', 'Query'],
    contacts: ['BatchGetItem', 'Query'],
    feeds: ['BatchGetItem', 'Query'],
    groups: ['BatchGetItem'],
    epoch: ['GetItem'],
  },
} as const satisfies Operation;

export const retrieveLive = {
  id: 'live/retrieve',
  method: 'GET',
  path: '/v1/live',
  summary: 'Retrieve push channels and cursor',
  description:
    'Returns the push channels to subscribe to, and the current cursor for `GET /v1/events`.',
  reply: Live,
  status: 200,
  errors: [],
  feature: 'events',
  calls: {
    contacts: ['Query'],
    feeds: ['Query'],
    groupFeeds: ['BatchGetItem'],
    groups: ['BatchGetItem', 'UpdateItem'],
    epoch: ['GetItem'],
  },
} as const satisfies Operation;

const operations = [listEvents, retrieveLive] as const satisfies readonly Operation[];

export default {
  title: 'Events and push',
  operations,
  resources: {
    events: 'Events of feeds, for catching up after being offline or after a gap.',
    live: 'Push channels to subscribe to, and the current cursor.',
  } satisfies ResourceDescriptions<typeof operations>,
};
