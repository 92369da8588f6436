import { createBlock, deleteBlock, listBlocks } from '../shared/contract/operations.ts';
import { dispatch } from '../shared/http/dispatch.ts';
import { handler as create } from './blocks/create.ts';
import { handler as remove } from './blocks/delete.ts';
import { handler as list } from './blocks/list.ts';

/** Serves all operations on blocks. */
export const handler = dispatch([
  [createBlock, create],
  [deleteBlock, remove],
  [listBlocks, list],
]);
