import { retrieveSettings } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { getPersonSettings } from '../../shared/table/person-settings.ts';

export const handler = serve(retrieveSettings, ({ caller }) => getPersonSettings(caller.id));
