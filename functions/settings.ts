import { retrieveSettings, updateSettings } from '../shared/contract/operations.ts';
import { dispatch } from '../shared/http/dispatch.ts';
import { handler as retrieve } from './settings/retrieve.ts';
import { handler as update } from './settings/update.ts';

/** Serves all operations on a person's settings. */
export const handler = dispatch([
  [retrieveSettings, retrieve],
  [updateSettings, update],
]);
