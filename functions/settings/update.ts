import { updateSettings } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { touchContact } from '../../shared/table/contacts.ts';
import { getPersonSettings, storePersonSettings } from '../../shared/table/person-settings.ts';

export const handler = serve(updateSettings, async ({ caller, body }) => {
  const isEmpty = Object.values(body).every((value) => value === undefined);
  if (isEmpty) return getPersonSettings(caller.id);
  await touchContact(caller);
  return storePersonSettings(caller, body);
});
