import * as v from 'valibot';
import type { Operation } from '../operation.ts';
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
    'Returns the current cursor for `GET /v1/events`, and the push channels to subscribe to in stages with push.',
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
