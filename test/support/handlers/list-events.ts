import * as v from 'valibot';
import type { Caller } from '../../../shared/caller.ts';
import { listEvents, retrieveLive } from '../../../shared/contract/operations.ts';
import { Event } from '../../../shared/contract/resources/event.ts';
import { listSchema } from '../../../shared/contract/schema/list-schema.ts';
import { getLinkQuery } from '../../response-invariants/page-rules.ts';
import { ok, request } from './invoke-handler.ts';

export const getLiveCursor = async (as: Caller): Promise<string> =>
  (await ok(retrieveLive, { as })).cursor;

const Page = listSchema(Event);

/** Returns all events after the cursor, and the next cursor. Default: all retained events. */
export async function listEventsAfter(as: Caller, cursor?: string, limit = 100) {
  const events: Event[] = [];
  let next = cursor;
  for (;;) {
    const query = { limit: String(limit), ...(next !== undefined && { starting_after: next }) };
    const { status, body, headers } = await request(listEvents, { as, query });
    if (status !== 200) throw new Error(`events/list returned ${status} ${JSON.stringify(body)}`);
    const page = v.parse(Page, body);
    events.push(...page.data);
    next = getLinkQuery(headers.Link, 'next')?.starting_after;
    if (next === undefined) throw new Error('The events/list reply has no next link.');
    if (!page.has_more) return { events, cursor: next };
  }
}
