import { updateSettings } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { touchContact } from '../../shared/table/contacts.ts';
import { getPersonSettings, storePersonSettings } from '../../shared/table/person-settings.ts';

export const handler = serve(updateSettings, async ({ caller, body }) => {
  if (body.share_read_receipts === undefined) return getPersonSettings(caller.id);
  await touchContact(caller);
  const settings = { share_read_receipts: body.share_read_receipts };
  await storePersonSettings(caller, settings);
  return settings;
});
