import {
  createBlock,
  createReport,
  deleteBlock,
  listBlocks,
  retrieveSettings,
  updateSettings,
} from '../shared/contract/operations.ts';
import { dispatch } from '../shared/http/dispatch.ts';
import { handler as block } from './blocks/create.ts';
import { handler as unblock } from './blocks/delete.ts';
import { handler as listBlocked } from './blocks/list.ts';
import { handler as report } from './reports/create.ts';
import { handler as retrieve } from './settings/retrieve.ts';
import { handler as update } from './settings/update.ts';

/** Serves the operations on a person's settings, blocks and reports. */
export const handler = dispatch([
  [retrieveSettings, retrieve],
  [updateSettings, update],
  [listBlocks, listBlocked],
  [createBlock, block],
  [deleteBlock, unblock],
  [createReport, report],
]);
