import { assumptions } from './assumptions.ts';
import type { OperationId } from './budgets.ts';
import type { Units } from './mix.ts';

/** Bytes of text in the messages that the budgets were measured with. */
const measuredBytes = 200;
const writeUnit = 1024;
const readUnit = 4096;

/** Messages read in one call (a page, and one that tells whether there are more), and written one by one. */
const messagesIn: Partial<Record<OperationId, { readTogether?: number; written?: number }>> = {
  'messages/send': { written: 1 },
  'messages/list': { readTogether: 11 },
  'messages/retrieve': { readTogether: 1 },
  'messages/update': { written: 1 },
  'messages/delete': { written: 1 },
};

/** What an operation is charged on top of its budget, as its messages are larger than those that were measured. */
export function unitsForSize(operation: OperationId, messageBytes: number): Units {
  const { readTogether = 0, written = 0 } = messagesIn[operation] ?? {};
  const itemBytes = messageBytes + assumptions.messageOverheadBytes;
  const measured = measuredBytes + assumptions.messageOverheadBytes;
  const above = (count: number, unit: number) =>
    Math.max(0, Math.ceil((count * itemBytes) / unit) - Math.ceil((count * measured) / unit));
  return { reads: above(readTogether, readUnit), writes: written * above(1, writeUnit) };
}

/** Write units of removing a message. */
export const unitsToRemove = (messageBytes: number): number =>
  Math.ceil((messageBytes + assumptions.messageOverheadBytes) / writeUnit);

/** Read units of reading that many messages, strongly. */
export const unitsToRead = (messages: number, messageBytes: number): number =>
  Math.ceil((messages * (messageBytes + assumptions.messageOverheadBytes)) / readUnit);
