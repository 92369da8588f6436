import * as v from 'valibot';
import type { Operation } from '../../shared/contract/operation.ts';
import { getLinkQuery } from '../response-invariants/page-rules.ts';
import type { Call } from '../support/handlers/gateway-event.ts';
import { type Reply, request } from '../support/handlers/invoke-handler.ts';
import { person } from '../support/people/callers.ts';
import type { Model } from './service-model.ts';

/**
 * Groups without conversations, whose members are all people except bob. A member who is also in
 * another group has more than five groups, so lists read group heads for that member, but not for
 * bob.
 */
const quietGroups = Array.from({ length: 5 }, (_, n) => `quiet-${n}`);

export const callService = (
  model: Model,
  userId: string,
  row: Operation,
  call: Omit<Call, 'as'> = {},
): Promise<Reply> =>
  request(row, {
    as: person(userId, {
      groups: [...(model.groups.get(userId) ?? []), ...(userId === 'bob' ? [] : quietGroups)],
    }),
    ...call,
  });

const Page = v.object({ has_more: v.boolean(), data: v.array(v.looseObject({})) });

/** Follows a list's links, and returns its pages in order. Throws if the status is not 200. */
export async function walkPages(
  model: Model,
  userId: string,
  row: Operation,
  query: Record<string, string>,
): Promise<v.InferOutput<typeof Page>[]> {
  const rel = 'ending_before' in query ? 'prev' : 'next';
  const pages: v.InferOutput<typeof Page>[] = [];
  let next: Record<string, string> | undefined = query;
  while (next) {
    const { body, headers, status } = await callService(model, userId, row, { query: next });
    if (status !== 200) throw new Error(`${row.id} returned ${JSON.stringify(body)}`);
    const page = v.parse(Page, body);
    pages.push(page);
    next = page.has_more ? getLinkQuery(headers.Link, rel) : undefined;
  }
  return pages;
}

/** Removes all fields of contacts except `id`, because caches may contain older profiles. */
export const withoutProfiles = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, inner) =>
    name === 'contact' ? inner && { id: inner.id } : inner,
  );

export const toPages = (list: object[], limit: number) => {
  const pages = [];
  for (let at = 0; at === 0 || at < list.length; at += limit) {
    pages.push({ has_more: at + limit < list.length, data: list.slice(at, at + limit) });
  }
  return pages;
};
