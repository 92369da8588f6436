import { examples } from '../../shared/contract/examples.ts';
import { listEvents, retrieveLive } from '../../shared/contract/operations.ts';
import { functionLimits } from '../../shared/function-limits.ts';
import { assumptions, told } from './assumptions.ts';
import { entriesInChunk, liveBudget, type OperationId } from './budgets.ts';
import { type Quantities, sumOf } from './prices.ts';
import { quantitiesOf } from './request.ts';

const gigabyte = 1024 ** 3;
/** AppSync counts a publication and each delivery once for so many bytes. */
const operationBytes = 5 * 1024;

/** A message, as a listener is told of it. */
const pushBytes =
  Buffer.byteLength(JSON.stringify(examples['events/list'].reply.data[1])) +
  assumptions.textBytes +
  assumptions.frameBytes;
const operationsPerPush = Math.ceil(pushBytes / operationBytes);

/**
 * What telling of one request takes, on average, with so many connections that hear of each change: the live worker is
 * woken by it alone, writes the feeds that are concerned, and publishes. Lambda reads the table's stream for nothing.
 */
export function quantitiesOfTelling(id: OperationId, listeners: number): Quantities {
  const { direct = 0, group = 0, oneself = 0 } = told[id] ?? {};
  return sumOf(
    [quantitiesOfChange('direct', listeners), direct],
    [quantitiesOfChange('group', listeners), group],
    // What somebody has flagged or opened only their own devices hear.
    [quantitiesOfChange('oneself', Math.min(listeners, 1)), oneself],
  );
}

function quantitiesOfChange(
  of: Exclude<keyof typeof liveBudget, 'aChunk'>,
  listeners: number,
): Quantities {
  const { calls, writes, publishes } = liveBudget[of];
  // Each feed has an entry of it; each chunk that is full costs a write more, and is stored like a KB.
  const chunks = writes / entriesInChunk;
  const milliseconds =
    assumptions.millisecondsPerCall * (calls + 1) + assumptions.millisecondsPerPublish;
  return {
    writeUnits: writes + chunks * liveBudget.aChunk.writes,
    storageGb: (chunks * assumptions.chunkBytes) / gigabyte,
    lambdaRequests: 1,
    lambdaGbSeconds: gigabytesOf('live') * (milliseconds / 1000),
    logGb: assumptions.logBytesPerDecision / gigabyte,
    appSyncOperations: (publishes + listeners) * operationsPerPush,
    dataOutGb: (listeners * pushBytes) / gigabyte,
  };
}

/**
 * What a connection takes in an hour in which nothing happens: it stays, subscribes anew to each channel, is sometimes
 * made again, and its client asks where to listen and reads the feed, as docs/live.md tells it to.
 */
export function quantitiesOfListening(hasFirewall: boolean): Quantities {
  const { connectionsPerHour, feedReadsPerHour, groupsPerUser } = assumptions;
  const channels = 1 + groupsPerUser;
  const asked = connectionsPerHour + channels * (1 + connectionsPerHour);
  return sumOf(
    [
      {
        appSyncMinutes: 60,
        appSyncOperations: asked,
        lambdaRequests: asked,
        lambdaGbSeconds:
          asked * gigabytesOf('request') * (assumptions.authorizerMilliseconds / 1000),
        logGb: (asked * assumptions.logBytesPerDecision) / gigabyte,
      },
    ],
    [quantitiesOf(retrieveLive, hasFirewall), 1 + connectionsPerHour],
    [quantitiesOf(listEvents, hasFirewall), feedReadsPerHour],
  );
}

const gigabytesOf = (kind: keyof typeof functionLimits) =>
  functionLimits[kind].memoryMegabytes / 1024;
