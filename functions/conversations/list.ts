import type { Caller } from '../../shared/caller.ts';
import type { Expansion } from '../../shared/contract/expand.ts';
import { listConversations } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { isConversationId } from '../../shared/ids.ts';
import { cursorAt, type Paging, pageOf, pagingOf, startOf } from '../../shared/paging.ts';
import { mostFitting } from '../../shared/reply-size.ts';
import type { Filters } from '../../shared/table/conversations/filters.ts';
import { type FlagFilters, readFlagged } from '../../shared/table/conversations/flagged.ts';
import { activeAt } from '../../shared/table/conversations/items.ts';
import { placeInRecent, readRecent } from '../../shared/table/conversations/recent.ts';
import type { Flags } from '../../shared/table/keys/keys.ts';
import { type Found, showConversations } from '../../shared/table/messages/expand.ts';

export const handler = serve(listConversations, async ({ caller, query }) => {
  const { muted, archived, pinned, group_id: groupId, contact_id: contactId } = query;
  const wanted = { muted, archived, pinned };
  const excluded = {
    muted: query.exclude.includes('muted'),
    archived: query.exclude.includes('archived'),
    pinned: query.exclude.includes('pinned'),
  };
  const filters = { groupId, contactId };
  const paging = pagingOf(query);
  const { found, cursorOf } =
    muted || archived || pinned
      ? await findFlagged(caller, { wanted, excluded }, filters, paging)
      : await findRecent(caller, excluded, filters, paging);
  return shownPage(caller, found, { paging, cursorOf, expand: query.expand });
});

const rule = 'must be the id of a conversation of this list';

/** Those with flags: the id tells the place, whatever has become of the conversation. */
async function findFlagged(caller: Caller, flags: FlagFilters, filters: Filters, paging: Paging) {
  const from = await startOf(paging, rule, ({ id }) => (isConversationId(id) ? id : undefined));
  const views = await readFlagged(caller, flags, filters, { ...rangeOf(paging), from });
  const found = views.map((view): Found => ({ ...view, isSure: 'conversation' }));
  return { found, cursorOf: ({ conversation }: Found) => conversation.id };
}

/** By last activity: a conversation moves, so its cursor carries the place that it had. */
async function findRecent(caller: Caller, excluded: Flags, filters: Filters, paging: Paging) {
  const from = await startOf(paging, rule, (cursor) => placeInRecent(cursor, caller, filters));
  const found = await readRecent(caller, excluded, filters, { ...rangeOf(paging), from });
  return {
    found: found.map((one): Found => ({ ...one, isSure: one.isSure ? 'conversation' : 'neither' })),
    cursorOf: ({ conversation }: Found) => cursorAt(conversation.id, activeAt(conversation)),
  };
}

const rangeOf = ({ backwards, limit }: Paging) => ({ backwards, count: limit + 1 });

interface HowShown {
  paging: Paging;
  cursorOf: (found: Found) => string;
  expand: readonly Expansion[];
}

/** As many as one reply can hold with what they bring along. */
async function shownPage(caller: Caller, found: Found[], { paging, cursorOf, expand }: HowShown) {
  const shown = await showConversations(caller, found.slice(0, paging.limit), expand);
  const page = pageOf(found, paging, cursorOf, mostFitting(shown));
  const byId = new Map(shown.map((one) => [one.id, one]));
  return {
    ...page,
    data: page.data.flatMap(({ conversation }) => byId.get(conversation.id) ?? []),
  };
}
