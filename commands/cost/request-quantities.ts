import { examples } from '../../shared/contract/examples.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { functionLimits, purgeWritesPerSecond } from '../../shared/function-limits.ts';
import { assumptions, shares } from './assumptions.ts';
import {
  type Budget,
  budgets,
  type OperationId,
  purgeBudget,
  unmeasuredBudget,
} from './budgets.ts';
import { addQuantities, type Quantities } from './prices.ts';

const gigabyte = 1024 ** 3;
const pageLength = 10;

type Row = Pick<Operation, 'method'> & { id: OperationId };

/** Returns the average billed usage of one request of the operation, excluding traces. */
export function getRequestQuantities({ id, method }: Row, hasFirewall: boolean): Quantities {
  const { calls, reads, writes } = averageBudget(id);
  const writesContact = method === 'POST' || method === 'PUT';
  const authorizations = 1 / assumptions.requestsPerAuthorization;
  const milliseconds =
    assumptions.millisecondsPerCall * (calls + 1) +
    assumptions.coldStartShare * assumptions.coldStartMilliseconds +
    authorizations * assumptions.authorizerMilliseconds;
  const request: Quantities = {
    readUnits: reads + (showsMessages(id) ? assumptions.senderReadShare : 0),
    writeUnits: writes + (writesContact ? assumptions.contactWriteShare : 0),
    lambdaRequests: 1 + authorizations,
    lambdaGbSeconds: toGigabytes('request') * (milliseconds / 1000),
    apiRequests: 1,
    dataOutGb: estimateReplyBytes(id) / gigabyte,
    logGb: assumptions.logBytesPerRequest / gigabyte,
    wafRequests: hasFirewall ? 1 : 0,
  };
  return id === 'conversations/delete' ? addQuantities([request], [getPurgeQuantities()]) : request;
}

/**
 * Returns the average table usage that AWS bills for one request. `calls` excludes the calls per
 * group: they run in parallel, so they add no duration.
 */
export function averageBudget(id: OperationId): Budget {
  const measured: Partial<Record<string, Record<string, Budget>>> = budgets;
  const measuredBudgets = Object.entries(measured[id] ?? { unmeasured: unmeasuredBudget });
  const sharesById: Partial<Record<string, Partial<Record<string, number>>>> = shares;
  const average = { calls: 0, reads: 0, writes: 0 };
  for (const [n, [name, { calls, reads, writes, perGroup, atAws }]] of measuredBudgets.entries()) {
    const share = sharesById[id] ? (sharesById[id][name] ?? 0) : n === 0 ? 1 : 0;
    const groupReads = assumptions.groupsPerUser * (perGroup?.reads ?? 0);
    average.calls += share * calls;
    average.reads += share * (reads + groupReads + (atAws?.reads ?? 0));
    average.writes += share * (writes + (atAws?.writes ?? 0));
  }
  return average;
}

const showsMessages = (id: OperationId) => id.startsWith('messages/') && id !== 'messages/delete';

/** Estimates a reply's size from the contract's example. Assumes ten items per list. */
function estimateReplyBytes(id: OperationId): number {
  const { reply } = examples[id];
  const [item, items] = 'data' in reply ? [reply.data[0], pageLength] : [reply, 1];
  const text = showsMessages(id) ? assumptions.textBytes : 0;
  const bytes = Buffer.byteLength(JSON.stringify(item ?? {})) + text;
  return assumptions.replyOverheadBytes + items * bytes;
}

/** Returns the quantities of one purge. Assumes one invocation that writes at the maximum rate. */
function getPurgeQuantities(): Quantities {
  const { messagesPerConversation } = assumptions;
  const writeUnits = purgeBudget.writes + messagesPerConversation * purgeBudget.writesPerMessage;
  return {
    writeUnits,
    readUnits: purgeBudget.reads + toReadUnits(messagesPerConversation),
    lambdaRequests: 1,
    lambdaGbSeconds: toGigabytes('purge') * (writeUnits / purgeWritesPerSecond.perPartition),
  };
}

/** Returns the read units for strongly consistent reads of the messages: one per 4 KB. */
export const toReadUnits = (messages: number): number =>
  Math.ceil((messages * assumptions.messageBytes) / 4096);

const toGigabytes = (kind: keyof typeof functionLimits) =>
  functionLimits[kind].memoryMegabytes / 1024;
