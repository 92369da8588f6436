import * as v from 'valibot';
import type { Operation } from '../../shared/contract/operation.ts';
import { pageParameters } from '../../shared/contract/schema/list-schema.ts';
import type { ObservedReply } from './observed-reply.ts';
import type { RequestContext } from './request-context.ts';
import type { Rule } from './rule.ts';

const Page = v.object({ has_more: v.boolean(), data: v.array(v.unknown()) });

/** Returns the query of the linked page, or `undefined` if the link is missing. */
export function getLinkQuery(
  link: string | null | undefined,
  rel: 'next' | 'prev',
): Record<string, string> | undefined {
  const target = getLinkUrl(link, rel);
  return target && Object.fromEntries(target.searchParams);
}

export function getLinkUrl(link: string | null | undefined, rel: 'next' | 'prev'): URL | undefined {
  const [, target] = new RegExp(`<([^>]*)>; rel="${rel}"`).exec(link ?? '') ?? [];
  return target === undefined ? undefined : new URL(target);
}

/**
 * Minimum size, in bytes, of a page that ends early because one more message would exceed 5 MB or
 * the 1,000 write units for read marks. Marking a message as read takes one write unit per
 * kilobyte, at most 240 write units.
 */
const minBytesOfShortPage = 500_000;

/**
 * Minimum number of a request's table calls if the page ends early because of unread counts. The
 * counts of a page may take up to 25 calls in addition to the first call of each count.
 */
const minCallsOfShortPage = 25 + 1;
const Counted = v.object({ unread_count: v.number() });

/**
 * Checks that a page has the required number of items, and exactly the links that its query and
 * `has_more` require.
 */
export function pageRules(
  row: Operation,
  { query = {}, calls = 0 }: RequestContext,
  { headers, body }: ObservedReply,
): Rule[] {
  const parsed = v.safeParse(Page, body);
  if (!row.list || !parsed.success) return [['no Link', !headers.has('link')]];
  const { has_more, data } = parsed.output;
  const limit = Number(query.limit ?? pageParameters.limit.default);
  const backwards = query.ending_before !== undefined;
  const hasItems = data.length > 0;
  const hasNext = row.forwardOnly ? true : hasItems && (backwards || has_more);
  const hasPrev =
    !row.forwardOnly && hasItems && (backwards ? has_more : query.starting_after !== undefined);
  const link = headers.get('link');
  const isShort = has_more && data.length < limit;
  return [
    [`${hasNext ? 'a' : 'no'} link to the next page`, !!getLinkQuery(link, 'next') === hasNext],
    [`${hasPrev ? 'a' : 'no'} link to the previous page`, !!getLinkQuery(link, 'prev') === hasPrev],
    [`at most ${limit} items`, data.length <= limit],
    [
      `${limit} items, as has_more is true, and neither size nor unread counts end the page early`,
      !isShort ||
        row.forwardOnly ||
        (hasItems && JSON.stringify(data).length >= minBytesOfShortPage) ||
        (v.is(Counted, data[0]) && calls >= minCallsOfShortPage),
    ],
  ];
}
