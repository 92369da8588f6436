import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { metrics } from '../../shared/log/metrics.ts';
import type { OperationId } from './budgets.ts';
import { quantitiesOfListening, quantitiesOfTelling } from './live.ts';
import {
  costOf,
  type PriceName,
  priceNames,
  prices,
  pricesAsOf,
  pricesRegion,
  type Quantities,
  sumOf,
} from './prices.ts';
import { quantitiesOf } from './request.ts';
import type { StackFacts } from './stack-facts.ts';

/** What is done in a month. */
export interface Volumes {
  /** Requests of each operation; none unless it is there. */
  requests: ReadonlyMap<OperationId, number>;
  /** In the table and its indexes, on average over the month. */
  storedGb: number;
  /** People who sign in, with the user pool of the stack. */
  activeUsers: number;
  /** Connections that hear of each change, on average. */
  listeners: number;
  /** Hours for which connections are open, of all listeners together. */
  listeningHours: number;
}

export interface Bill {
  pricesAsOf: string;
  region: string;
  /** Whether what every account has for nothing is taken off. */
  free: boolean;
  /** Connections that hear of each change. */
  listeners: number;
  idle: Charges;
  /** Of each operation, without what is free. */
  perMillion: AMillion<OperationId>[];
  /** Of hours of listening, in a stage that has events. */
  listening: AMillion<'an hour of listening'> | undefined;
  /** All that the month takes, idle included. */
  month: Charges;
}

/** What a million of something takes, without what is free. */
export interface AMillion<Of extends string> {
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

/** What the stack costs in a month in which that is done. */
export function billFor(facts: StackFacts, volumes: Volumes, free: boolean): Bill {
  const { requests: asked, storedGb, activeUsers, listeners, listeningHours } = volumes;
  const hasFirewall = (facts.monthly.webAcls ?? 0) > 0;
  const perRequest = operationsOf(facts).map((operation) => ({
    id: operation.id,
    quantities: sumOf(
      [quantitiesOf(operation, hasFirewall)],
      [facts.hasEvents ? quantitiesOfTelling(operation.id, listeners) : {}],
    ),
    requests: asked.get(operation.id) ?? 0,
  }));
  const listening = facts.hasEvents ? quantitiesOfListening(hasFirewall) : {};
  const idle: Quantities = {
    ...facts.monthly,
    storageGb: storedGb,
    recoveryGb: facts.hasRecovery ? storedGb : 0,
    ...(facts.users && { [facts.users]: activeUsers }),
  };
  const requested = sumOf(
    [idle],
    ...perRequest.map(({ quantities, requests }) => [quantities, requests] as const),
    [listening, listeningHours],
  );
  const inUse = perRequest.filter(({ requests }) => requests > 0).length;
  const together: Quantities = {
    traces: facts.traces ? tracesOf(requested.apiRequests ?? 0, facts.traces) : 0,
    customMetrics: metricsOf(inUse, facts.hasEvents, listeningHours > 0),
  };
  return {
    pricesAsOf,
    region: pricesRegion,
    free,
    listeners,
    idle: chargesFor(idle, free),
    perMillion: perRequest.map(({ id, quantities }) => aMillion(id, quantities)),
    listening: facts.hasEvents ? aMillion('an hour of listening', listening) : undefined,
    month: chargesFor(sumOf([requested], [together]), free),
  };
}

function chargesFor(quantities: Quantities, free: boolean): Charges {
  const lines = priceNames.flatMap((price) => {
    const quantity = quantities[price] ?? 0;
    const { service, unit } = prices[price];
    return quantity > 0
      ? [{ price, service, unit, quantity, usd: costOf(price, quantity, free) }]
      : [];
  });
  return { lines, usd: lines.reduce((sum, { usd }) => sum + usd, 0) };
}

function aMillion<Of extends string>(of: Of, quantities: Quantities): AMillion<Of> {
  const { lines, usd } = chargesFor(sumOf([quantities, million]), false);
  const byService: Record<string, number> = {};
  for (const { service, usd: part } of lines) {
    byService[service] = (byService[service] ?? 0) + part;
  }
  return { of, byService, usd };
}

/** Of that many requests: so many of each second are traced, as if they came evenly, and of the others a share. */
export function tracesOf(
  requests: number,
  { perSecond, share }: NonNullable<StackFacts['traces']>,
) {
  const first = Math.min(requests, perSecond * secondsPerMonth);
  return first + share * (requests - first);
}

/** Those that the stage has. */
const operationsOf = ({ hasEvents }: StackFacts) => {
  const offered: readonly (Operation & { id: OperationId })[] = operations;
  return offered.filter(({ feature }) => feature === undefined || hasEvents);
};

/**
 * The functions' log lines make metrics of their facts: for each operation that is used at every hour, the authorizer, the
 * live worker, and where people listen the channel authorizer and the two operations that listeners use; all but those that
 * the workers alone have, and the one that strangers make. What is zero makes none, so this is the most.
 */
export function metricsOf(
  operationsInUse: number,
  hasEvents = false,
  isListenedTo = false,
): number {
  const others = (operationsInUse > 0 ? 1 : 0) + (hasEvents && operationsInUse > 0 ? 1 : 0);
  const ofListeners = hasEvents && isListenedTo ? 3 : 0;
  return (operationsInUse + others + ofListeners) * (Object.keys(metrics).length - 3);
}
