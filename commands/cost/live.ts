import { examples } from '../../shared/contract/examples.ts';
import { listEvents, retrieveLive } from '../../shared/contract/operations.ts';
import { functionLimits } from '../../shared/function-limits.ts';
import { assumptions, told } from './assumptions.ts';
import { entriesInChunk, liveBudget, type OperationId } from './budgets.ts';
import { type Quantities, sumOf } from './prices.ts';
import { quantitiesOf } from './request.ts';

const gigabyte = 1024 ** 3;
/** AppSync bills a publication and each delivery once per this number of bytes. */
const operationBytes = 5 * 1024;

/** Size of a message event in bytes. */
const pushBytes =
  Buffer.byteLength(JSON.stringify(examples['events/list'].reply.data[1])) +
  assumptions.textBytes +
  assumptions.frameBytes;
const operationsPerPush = Math.ceil(pushBytes / operationBytes);

/**
 * Returns the average usage of publishing the changes of one request to this number of connections.
 * The live worker is invoked for that request alone, writes the feeds and publishes. Lambda's reads
 * of the stream are free.
 */
export function quantitiesOfTelling(id: OperationId, listeners: number): Quantities {
  const { direct = 0, group = 0, oneself = 0 } = told[id] ?? {};
  return sumOf(
    [quantitiesOfChange('direct', listeners), direct],
    [quantitiesOfChange('group', listeners), group],
    // Only the user's own devices receive events about flags and openings.
    [quantitiesOfChange('oneself', Math.min(listeners, 1)), oneself],
  );
}

function quantitiesOfChange(
  of: Exclude<keyof typeof liveBudget, 'aChunk'>,
  listeners: number,
): Quantities {
  const { calls, writes, publishes } = liveBudget[of];
  // Each feed gets an entry. Each full chunk costs one more write and is stored as one KB.
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
 * Returns the usage of a connection in an hour without events: connection minutes, new
 * subscriptions, occasional reconnects, and the client's requests as described in docs/live.md.
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
