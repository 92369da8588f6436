import { notFound } from '../../shared/api-error.ts';
import { deleteBlock } from '../../shared/contract/operations.ts';
import { toDeletedReply } from '../../shared/contract/resources/deleted.ts';
import { serve } from '../../shared/http/serve.ts';
import { unblockContact } from '../../shared/table/blocks/change-block.ts';

export const handler = serve(deleteBlock, async ({ caller, path: { contact_id } }) => {
  const wasBlocked = await unblockContact({ blocker: caller.id, blocked: contact_id });
  if (!wasBlocked) throw notFound('contact_id');
  return toDeletedReply(contact_id);
});
