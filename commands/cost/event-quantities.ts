import { examples } from '../../shared/contract/examples.ts';
import { listEvents, retrieveLive } from '../../shared/contract/operations.ts';
import { functionLimits } from '../../shared/function-limits.ts';
import { assumptions, eventShares } from './assumptions.ts';
import { entriesPerChunk, liveBudget, type OperationId } from './budgets.ts';
import { addQuantities, type Quantities } from './prices.ts';
import { getRequestQuantities } from './request-quantities.ts';

const gigabyte = 1024 ** 3;
const minutesPerMonth = (365 / 12) * 24 * 60;
/**
 * Billing unit in bytes: AppSync bills each started unit of a publication or delivery as one
 * operation.
 */
const operationBytes = 5 * 1024;

const pushBytes =
  Buffer.byteLength(JSON.stringify(examples['events/list'].reply.data[1])) +
  assumptions.textBytes +
  assumptions.frameBytes;
const operationsPerPush = Math.ceil(pushBytes / operationBytes);

const countEvents = (id: OperationId): number => {
  const { direct = 0, opened = 0, group = 0, oneself = 0 } = eventShares[id] ?? {};
  return direct + opened + group + oneself;
};

export const getBusQuantities = (id: OperationId): Quantities => ({ busEvents: countEvents(id) });

/**
 * Returns the webhook sender's average usage for the changes of one request, excluding deliveries.
 * Each event takes three SQS requests: send, receive and delete.
 */
export const getWebhookQuantities = (id: OperationId): Quantities => ({
  queueRequests: 3 * countEvents(id),
  lambdaRequests: countEvents(id),
  lambdaGbSeconds:
    countEvents(id) * toGigabytes('webhooks') * (assumptions.millisecondsPerCall / 1000),
  logGb: (countEvents(id) * assumptions.logBytesPerDecision) / gigabyte,
});

/**
 * Returns the SQS requests that Lambda makes each month to poll the webhook sender's two idle
 * queues.
 */
export const getWebhookPollQuantities = (): Quantities => ({
  queueRequests: 2 * assumptions.pollsPerMinute * minutesPerMonth,
});

/**
 * Returns the average usage if one request's changes are published to `listeners` connections.
 * Assumes one invocation of the live worker per event. Lambda's reads of the stream are free.
 */
export function getEventQuantities(
  id: OperationId,
  listeners: number,
  hasFirewall: boolean,
): Quantities {
  const { direct = 0, opened = 0, group = 0, oneself = 0 } = eventShares[id] ?? {};
  return addQuantities(
    [getChangeQuantities('direct', listeners), direct],
    [getChangeQuantities('opened', listeners), opened],
    [getChangeQuantities('group', listeners), group],
    // Only the user's own devices receive events about flags and openings.
    [getChangeQuantities('oneself', Math.min(listeners, 1)), oneself],
    [
      getRequestQuantities(listEvents, hasFirewall),
      assumptions.repairReadShare *
        (listeners * (direct + opened + group) + Math.min(listeners, 1) * oneself),
    ],
  );
}

function getChangeQuantities(
  scope: keyof Omit<typeof liveBudget, 'aChunk' | 'aGroupChunk'>,
  listeners: number,
): Quantities {
  const { calls, reads, writes, publishes } = liveBudget[scope];
  // Each feed gets an entry. Each full chunk costs additional writes and about 1 KB of storage.
  const chunks = writes / entriesPerChunk;
  const milliseconds =
    assumptions.millisecondsPerCall * (calls + 1) + assumptions.millisecondsPerPublish;
  return {
    readUnits: reads,
    writeUnits: writes + chunks * liveBudget[scope === 'group' ? 'aGroupChunk' : 'aChunk'].writes,
    storageGb: (chunks * assumptions.chunkBytes) / gigabyte,
    lambdaRequests: 1,
    lambdaGbSeconds: toGigabytes('live') * (milliseconds / 1000),
    logGb: assumptions.logBytesPerDecision / gigabyte,
    appSyncOperations: (publishes + listeners) * operationsPerPush,
    dataOutGb: (listeners * pushBytes) / gigabyte,
  };
}

/**
 * Returns the usage of a connection in an hour without events: connection minutes, subscriptions,
 * authorizer calls, occasional reconnects, and the API requests of this project's client.
 */
export function getListeningQuantities(hasFirewall: boolean): Quantities {
  const { connectionsPerHour, channelReadsPerHour, feedReadsPerConnection, groupsPerUser } =
    assumptions;
  const channels = 1 + groupsPerUser;
  const authorizations = connectionsPerHour + channels * (1 + connectionsPerHour);
  return addQuantities(
    [
      {
        appSyncMinutes: 60,
        appSyncOperations: authorizations,
        lambdaRequests: authorizations,
        lambdaGbSeconds:
          authorizations * toGigabytes('request') * (assumptions.authorizerMilliseconds / 1000),
        logGb: (authorizations * assumptions.logBytesPerDecision) / gigabyte,
      },
    ],
    [getRequestQuantities(retrieveLive, hasFirewall), channelReadsPerHour + connectionsPerHour],
    [getRequestQuantities(listEvents, hasFirewall), feedReadsPerConnection * connectionsPerHour],
  );
}

const toGigabytes = (kind: keyof typeof functionLimits) =>
  functionLimits[kind].memoryMegabytes / 1024;
