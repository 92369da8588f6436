import * as v from 'valibot';
import type { Reply } from '../handlers/invoke-handler.ts';
import type { Cast } from './cast.ts';
import type { View } from './scenario-world.ts';

/** What came of a request: its reply, and what everybody sees then; a text that is the same for the same. */
export type Outcome = string;

const ErrorBody = v.object({ code: v.string() });

/** Without what differs from request to request. */
export function toOutcome({ toExampleText: unsaid }: Cast, reply: Reply, sight: View): Outcome {
  const { 'Request-Id': _, ETag, ...headers } = reply.headers;
  const error = v.safeParse(ErrorBody, reply.body);
  const told = {
    status: reply.status,
    headers: Object.entries({ ...headers, ...(ETag !== undefined && { ETag: 'its tag' }) }).sort(),
    body: error.success ? error.output : reply.body,
    sight: JSON.parse(sight),
  };
  return withoutFeeds(numberIds(unsaid(JSON.stringify(told))));
}

/** Feeds are named by whose they are, and cursors of feeds are good for one person alone: neither tells anything else. */
const withoutFeeds = (text: string): string =>
  text
    .replace(/(starting_after=|"cursor":")A[\w-]{22,}/g, '$1cursor')
    .replace(/\b[0-9a-f]{40}\b/g, 'feed');

/** Ids of conversations and messages by their order: a message may get another place, or a conversation another id. */
export function numberIds(text: string): string {
  const ids: string[] = [];
  return text.replace(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}(?:[0-9A-HJKMNP-TV-Z]{18})?\b/g, (id) => {
    if (!ids.includes(id)) ids.push(id);
    return `${id.length === 26 ? 'conversation' : 'message'} ${ids.indexOf(id)}`;
  });
}
