import { examples } from '../../shared/contract/examples.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { assumptions } from './assumptions.ts';
import type { OperationId } from './budgets.ts';

const rows: readonly Operation[] = operations;
const pageLength = 10;

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Bytes of a reply, headers and all: as long as the contract's example, a list being a page of ten. */
export function replyBytes(operation: OperationId, messageBytes: number): number {
  const { reply } = examples[operation];
  const isList = rows.some(({ id, list }) => id === operation && list);
  const items = isList ? pageLength : 1;
  const example = 'data' in reply ? bytesOf(reply.data[0]) : bytesOf(reply);
  const showsMessages = operation.startsWith('messages/') && operation !== 'messages/delete';
  const text = showsMessages ? messageBytes : 0;
  return assumptions.replyOverheadBytes + items * (example + text);
}
