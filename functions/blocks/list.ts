import * as v from 'valibot';
import { toSeconds } from '../../shared/clock.ts';
import { listBlocks as operation } from '../../shared/contract/operations.ts';
import { ExternalId } from '../../shared/contract/schema/field-types.ts';
import { serve } from '../../shared/http/serve.ts';
import { formatCursor, resolveCursor, toPage, toPaging } from '../../shared/paging.ts';
import { listBlocks } from '../../shared/table/blocks/list-blocks.ts';
import { getBlockedAt } from '../../shared/table/conversations/write/pair-blocks.ts';

export const handler = serve(operation, async ({ caller, query }) => {
  const paging = toPaging(query);
  const rule = 'must be the id of a contact whom you have blocked';
  const start = await resolveCursor(paging, rule, async ({ id: contactId, position = '' }) => {
    if (!v.is(ExternalId, contactId)) return undefined;
    const at = /^\d{1,15}$/.test(position)
      ? Number(position)
      : await getBlockedAt({ blocker: caller.id, blocked: contactId });
    return at === undefined ? undefined : { contactId, at };
  });
  const { backwards, count } = paging;
  const blocks = await listBlocks(caller.id, { start, backwards, count });
  const page = toPage(blocks, paging, ({ contactId, at }) => formatCursor(contactId, at));
  const data = page.data.map(({ contactId, at }) => ({
    contact_id: contactId,
    created_at: toSeconds(at),
  }));
  return { ...page, data };
});
