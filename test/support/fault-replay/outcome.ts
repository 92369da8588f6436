import * as v from 'valibot';
import type { Reply } from '../handlers/invoke-handler.ts';
import type { Cast } from './cast.ts';
import type { View } from './scenario-world.ts';

/**
 * A request's outcome as text: its reply and the state that Ann and Bob can see. Equal outcomes
 * yield equal texts.
 */
export type Outcome = string;

const ErrorBody = v.object({ code: v.string() });

/** Returns the outcome without values that differ between two identical requests. */
export function toOutcome({ toExampleText }: Cast, reply: Reply, view: View): Outcome {
  const { 'Request-Id': _, ETag, ...headers } = reply.headers;
  const error = v.safeParse(ErrorBody, reply.body);
  const visible = {
    status: reply.status,
    headers: Object.entries({ ...headers, ...(ETag !== undefined && { ETag: 'its tag' }) }).sort(),
    body: error.success ? error.output : reply.body,
    sight: JSON.parse(view),
  };
  return withoutFeeds(withoutSignatures(numberIds(toExampleText(JSON.stringify(visible)))));
}

/** Masks feed names and cursors, because they depend on the id of the feed's owner. */
const withoutFeeds = (text: string): string =>
  text
    .replace(/(starting_after=|"cursor":")A[\w-]{22,}/g, '$1cursor')
    .replace(/\b[0-9a-f]{40}\b/g, 'feed');

/** Masks the timestamps and signatures of file URLs, because a retry signs a new URL. */
const withoutSignatures = (text: string): string =>
  text.includes('X-Amz-Signature=')
    ? text.replace(/(X-Amz-Date=|X-Amz-Signature=|"expires_at":)\w+/g, '$1…')
    : text;

/** Resource types, keyed by the length of their ids. */
const kinds = new Map([
  [26, 'conversation'],
  [44, 'message'],
  [52, 'attachment'],
]);

/**
 * Replaces the ids of conversations, groups, messages and attachments with numbers in order of
 * appearance, because a retry may get a different sequence number or id.
 */
export function numberIds(text: string): string {
  const ids: string[] = [];
  return text.replace(
    /(?:\b|(?<=grp_))[0-7][0-9A-HJKMNP-TV-Z]{25}(?:[0-9A-HJKMNP-TV-Z]{18}|[0-9A-HJKMNP-TV-Z]{26})?\b/g,
    (id) => {
      if (!ids.includes(id)) ids.push(id);
      return `${kinds.get(id.length)} ${ids.indexOf(id)}`;
    },
  );
}
