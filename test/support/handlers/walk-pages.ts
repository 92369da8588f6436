import * as v from 'valibot';
import type { Caller } from '../../../shared/caller.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { getLinkUrl } from '../../response-invariants/page-rules.ts';
import { request } from './invoke-handler.ts';

const Listed = v.object({
  has_more: v.boolean(),
  data: v.array(v.looseObject({ id: v.string() })),
});
export type ListedPage = v.InferOutput<typeof Listed>;

/** Query parameters. An array contains the values of a repeated parameter. */
type Query = Record<string, string | string[]>;

const queryOf = (address: URL | undefined): Query | undefined =>
  address &&
  Object.fromEntries(
    [...address.searchParams.keys()].map((name) => [name, address.searchParams.getAll(name)]),
  );

/** Follows the `rel` links to the last page, and calls `between` after each page. */
export async function walkPages(
  row: Operation,
  as: Caller,
  rel: 'next' | 'prev',
  start: Query,
  between: () => Promise<unknown> = async () => {},
): Promise<ListedPage[]> {
  const pages: ListedPage[] = [];
  let query: Query | undefined = start;
  while (query) {
    const { body, headers } = await request(row, { as, query });
    const page = v.parse(Listed, body);
    pages.push(page);
    query = page.has_more ? queryOf(getLinkUrl(headers.Link, rel)) : undefined;
    await between();
  }
  return pages;
}
