import { listConversations } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { pagingOf } from '../../shared/paging.ts';
import { listFlagged } from '../../shared/table/conversations/flagged.ts';
import { conversationSeenBy } from '../../shared/table/conversations/items.ts';
import { listRecent } from '../../shared/table/conversations/recent.ts';

export const handler = serve(listConversations, async ({ caller, query }) => {
  const { muted, archived, pinned, group_id } = query;
  const paging = pagingOf(query);
  const page =
    muted || archived || pinned
      ? await listFlagged(caller, { muted, archived, pinned }, group_id, paging)
      : await listRecent(caller, group_id, paging);
  const seen = page.data.map(({ conversation, settings }) =>
    conversationSeenBy(caller.id, conversation, settings),
  );
  return { ...page, data: seen };
});
