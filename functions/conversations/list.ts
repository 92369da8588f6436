import type { Caller } from '../../shared/caller.ts';
import { listConversations } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { isConversationId } from '../../shared/ids.ts';
import { cursorAt, type Paging, pageOf, pagingOf, startOf } from '../../shared/paging.ts';
import { readFlagged } from '../../shared/table/conversations/flagged.ts';
import { activeAt, conversationSeenBy } from '../../shared/table/conversations/items.ts';
import { placeInRecent, readRecent } from '../../shared/table/conversations/recent.ts';
import { getSettings } from '../../shared/table/conversations/settings.ts';
import type { Flags } from '../../shared/table/keys/keys.ts';

export const handler = serve(listConversations, ({ caller, query }) => {
  const { muted, archived, pinned, group_id } = query;
  return muted || archived || pinned
    ? listFlagged(caller, { muted, archived, pinned }, group_id, pagingOf(query))
    : listRecent(caller, group_id, pagingOf(query));
});

const rule = 'must be the id of a conversation of this list';

/** Those with flags: the id tells the place, whatever has become of the conversation. */
async function listFlagged(
  caller: Caller,
  flags: Flags,
  groupId: string | undefined,
  paging: Paging,
) {
  const from = await startOf(paging, rule, ({ id }) => (isConversationId(id) ? id : undefined));
  const found = await readFlagged(caller, flags, groupId, { ...rangeOf(paging), from });
  const page = pageOf(found, paging, ({ conversation }) => conversation.id);
  const seen = page.data.map(({ conversation, settings }) =>
    conversationSeenBy(caller.id, conversation, settings),
  );
  return { ...page, data: seen };
}

/** By last activity: a conversation moves, so its cursor carries the place that it had. */
async function listRecent(caller: Caller, groupId: string | undefined, paging: Paging) {
  const from = await startOf(paging, rule, (cursor) => placeInRecent(cursor, caller, groupId));
  const found = await readRecent(caller, groupId, { ...rangeOf(paging), from });
  const page = pageOf(found, paging, (one) => cursorAt(one.id, activeAt(one)));
  const ids = page.data.map(({ id }) => id);
  const settingsOf = await getSettings(caller.id, ids);
  const seen = page.data.map((conversation) =>
    conversationSeenBy(caller.id, conversation, settingsOf(conversation.id)),
  );
  return { ...page, data: seen };
}

const rangeOf = ({ backwards, limit }: Paging) => ({ backwards, count: limit + 1 });
