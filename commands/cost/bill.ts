import type { Operation } from '../../shared/contract/operation.ts';
import {
  listEvents,
  listMessages,
  operations,
  retrieveLive,
  retrieveMessage,
} from '../../shared/contract/operations.ts';
import { type MetricName, metricsOf } from '../../shared/log/metrics.ts';
import type { OperationId } from './budgets.ts';
import {
  getBusQuantities,
  getEventQuantities,
  getListeningQuantities,
  getWebhookPollQuantities,
  getWebhookQuantities,
} from './event-quantities.ts';
import { getFileQuantities } from './file-quantities.ts';
import {
  addQuantities,
  getCost,
  type PriceName,
  priceNames,
  prices,
  pricesAsOf,
  pricesRegion,
  type Quantities,
} from './prices.ts';
import { getRequestQuantities } from './request-quantities.ts';
import type { StackFacts } from './stack-facts.ts';

/** Traffic of one month. */
export interface Volumes {
  /** Number of requests by operation. Absent operations have no requests. */
  requests: ReadonlyMap<OperationId, number>;
  /** GB in the table and its indexes, averaged over the month. */
  storedGb: number;
  /** Users who sign in to the stack's user pool. */
  activeUsers: number;
  /** Average number of connections that receive each event. */
  listeners: number;
  /** Total connection hours of all listeners. */
  listeningHours: number;
}

export interface Bill {
  pricesAsOf: string;
  region: string;
  /** Whether the free tier is deducted. */
  free: boolean;
  listeners: number;
  idle: Charges;
  /** Cost per million requests of each operation. */
  perMillion: MillionCost<OperationId>[];
  /** Cost per million listening hours; undefined in a stage without events. */
  listening: MillionCost<'an hour of listening'> | undefined;
  /** The total of the month, including the fixed costs. */
  month: Charges;
}

/** The cost of one million requests or hours, before deduction of the free tier. */
export interface MillionCost<Of extends string> {
  of: Of;
  byService: Record<string, number>;
  usd: number;
}

export interface Charges {
  lines: { price: PriceName; service: string; unit: string; quantity: number; usd: number }[];
  usd: number;
}

const million = 1_000_000;
const secondsPerMonth = (365 / 12) * 24 * 60 * 60;

export function createBill(facts: StackFacts, volumes: Volumes, free: boolean): Bill {
  const { requests: requestCounts, storedGb, activeUsers, listeners, listeningHours } = volumes;
  const hasFirewall = (facts.monthly.webAcls ?? 0) > 0;
  const perRequest = listOperations(facts).map((operation) => ({
    id: operation.id,
    quantities: addQuantities(
      [getRequestQuantities(operation, hasFirewall)],
      [facts.hasEvents ? getEventQuantities(operation.id, listeners, hasFirewall) : {}],
      [facts.hasBus ? getBusQuantities(operation.id) : {}],
      [facts.hasAttachments ? getFileQuantities(operation.id, facts.hasScans) : {}],
      [facts.hasWebhooks ? getWebhookQuantities(operation.id) : {}],
    ),
    requests: requestCounts.get(operation.id) ?? 0,
  }));
  const listening = facts.hasEvents ? getListeningQuantities(hasFirewall) : {};
  const idle: Quantities = {
    ...facts.monthly,
    ...(facts.hasWebhooks && getWebhookPollQuantities()),
    storageGb: storedGb,
    recoveryGb: facts.hasRecovery ? storedGb : 0,
    ...(facts.users && { [facts.users]: activeUsers }),
  };
  const requested = addQuantities(
    [idle],
    ...perRequest.map(({ quantities, requests }) => [quantities, requests] as const),
    [listening, listeningHours],
  );
  const usedOperations = listOperations(facts).filter(({ id }) => (requestCounts.get(id) ?? 0) > 0);
  const sharedQuantities: Quantities = {
    traces: facts.traces ? countTraces(requested.apiRequests ?? 0, facts.traces) : 0,
    customMetrics: countMetrics(usedOperations, facts, listeningHours > 0),
  };
  return {
    pricesAsOf,
    region: pricesRegion,
    free,
    listeners,
    idle: toCharges(idle, free),
    perMillion: perRequest.map(({ id, quantities }) => toMillionCost(id, quantities)),
    listening: facts.hasEvents ? toMillionCost('an hour of listening', listening) : undefined,
    month: toCharges(addQuantities([requested], [sharedQuantities]), free),
  };
}

function toCharges(quantities: Quantities, free: boolean): Charges {
  const lines = priceNames.flatMap((price) => {
    const quantity = quantities[price] ?? 0;
    const { service, unit } = prices[price];
    return quantity > 0
      ? [{ price, service, unit, quantity, usd: getCost(price, quantity, free) }]
      : [];
  });
  return { lines, usd: lines.reduce((sum, { usd }) => sum + usd, 0) };
}

function toMillionCost<Of extends string>(of: Of, quantities: Quantities): MillionCost<Of> {
  const { lines, usd } = toCharges(addQuantities([quantities, million]), false);
  const byService: Record<string, number> = {};
  for (const { service, usd: part } of lines) {
    byService[service] = (byService[service] ?? 0) + part;
  }
  return { of, byService, usd };
}

/**
 * Returns the number of traced requests per month: the first `perSecond` requests of each second,
 * and a share of the others. Assumes that requests are evenly distributed over the month.
 */
export function countTraces(
  requests: number,
  { perSecond, share }: NonNullable<StackFacts['traces']>,
) {
  const first = Math.min(requests, perSecond * secondsPerMonth);
  return first + share * (requests - first);
}

const listOperations = ({ hasEvents, hasReadReceipts, hasAttachments }: StackFacts) => {
  const features = {
    events: hasEvents,
    readReceipts: hasReadReceipts,
    attachments: hasAttachments,
  };
  const offered: readonly (Operation & { id: OperationId })[] = operations;
  return offered.filter(({ feature }) => feature === undefined || features[feature]);
};

/** Metrics that are rarely sent. CloudWatch bills a metric only for hours in which it has data. */
const rareMetrics: readonly MetricName[] = [
  ...(['fault', 'unknown_key', 'lost_pushes', 'bus_failures'] as const),
  ...(['failed_scans', 'overdue_scans'] as const),
];

/**
 * Returns the number of billed custom metrics if clients use every given operation every hour.
 * Includes the metrics of the authorizer, the workers and, if there are listeners, the operations
 * that list events and channels. Excludes rare metrics.
 */
export function countMetrics(
  operationsInUse: readonly Operation[],
  { hasEvents, hasWebhooks }: Pick<StackFacts, 'hasEvents' | 'hasWebhooks'>,
  hasListeners = false,
): number {
  if (operationsInUse.length === 0) return 0;
  const listening = hasEvents && hasListeners ? [retrieveLive, listEvents] : [];
  const sent = [...new Set([...operationsInUse, ...listening])].flatMap(listMetrics);
  const workers = [...(hasEvents ? ['live'] : []), ...(hasWebhooks ? ['webhooks'] : [])];
  const others = ['authorizer', ...workers].flatMap(metricsOf);
  return [...sent, ...others].filter((name) => !rareMetrics.includes(name)).length;
}

const listMetrics = (row: Operation): MetricName[] =>
  metricsOf(row.id).filter((name) => {
    if (name === 'replayed') return row.repeatable === true;
    if (name === 'write_units' || name === 'conflicts') return writes(row);
    return true;
  });

/**
 * Reports whether an operation writes. Listing and retrieving messages also write: they mark
 * messages as read.
 */
const writes = ({ id, method }: Operation) =>
  method !== 'GET' || id === listMessages.id || id === retrieveMessage.id;
