import { notFound } from '../../shared/api-error.ts';
import { retrieveContact } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { findContact } from '../../shared/table/conversations/query/find-contact.ts';

export const handler = serve(retrieveContact, async ({ caller, path }) => {
  const contact = await findContact(path.contact_id, caller);
  if (!contact) throw notFound('contact_id');
  return contact;
});
