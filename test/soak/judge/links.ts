import * as v from 'valibot';
import type { Exchange, Reply } from '../exchange.ts';

const Page = v.object({ has_more: v.boolean(), data: v.array(v.unknown()) });

/** The query of the page that the reply links to. */
export function linked(
  { headers }: Reply,
  rel: 'next' | 'prev',
): Record<string, string> | undefined {
  const target = new RegExp(`<([^>]*)>; rel="${rel}"`).exec(headers.get('link') ?? '')?.[1];
  return target === undefined ? undefined : Object.fromEntries(new URL(target).searchParams);
}

/** `next` and `prev` are there when there is something, as far as the page can tell; and pages are as long as was asked. */
export function isLinkedAsPromised({ reply, row, sent }: Exchange): boolean {
  const parsed = v.safeParse(Page, reply.body);
  if (!('list' in row) || !parsed.success) return !reply.headers.has('link');
  const { has_more, data } = parsed.output;
  const { ending_before, starting_after, limit = '10' } = sent.query ?? {};
  const backwards = ending_before !== undefined;
  const some = data.length > 0;
  const hasNext = some && (backwards || has_more);
  const hasPrev = some && (backwards ? has_more : starting_after !== undefined);
  return (
    (linked(reply, 'next') !== undefined) === hasNext &&
    (linked(reply, 'prev') !== undefined) === hasPrev &&
    data.length <= Number(limit) &&
    (!has_more || data.length === Number(limit))
  );
}
