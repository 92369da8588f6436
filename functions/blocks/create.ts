import { invalidParameter } from '../../shared/api-error.ts';
import { toSeconds } from '../../shared/clock.ts';
import { createBlock } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { blockContact } from '../../shared/table/blocks/change-block.ts';
import { touchContact } from '../../shared/table/contacts.ts';

export const handler = serve(createBlock, async ({ caller, path: { contact_id } }) => {
  if (contact_id === caller.id) throw invalidParameter('contact_id', 'must not be your own id');
  await touchContact(caller);
  const at = await blockContact({ blocker: caller.id, blocked: contact_id });
  return { contact_id, created_at: toSeconds(at) };
});
