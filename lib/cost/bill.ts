import { operations } from '../../shared/contract/operations.ts';
import { metrics } from '../../shared/log/metrics.ts';
import type { OperationId } from './budgets.ts';
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
}

export interface Bill {
  pricesAsOf: string;
  region: string;
  /** Whether what every account has for nothing is taken off. */
  free: boolean;
  idle: Charges;
  /** Of each operation, without what is free. */
  perMillion: { operation: OperationId; byService: Record<string, number>; usd: number }[];
  /** All that the month takes, idle included. */
  month: Charges;
}

export interface Charges {
  lines: { price: PriceName; service: string; unit: string; quantity: number; usd: number }[];
  usd: number;
}

const million = 1_000_000;
const secondsPerMonth = (365 / 12) * 24 * 60 * 60;

/** What the stack costs in a month in which that is done. */
export function billFor(facts: StackFacts, volumes: Volumes, free: boolean): Bill {
  const { requests: asked, storedGb, activeUsers } = volumes;
  const hasFirewall = (facts.monthly.webAcls ?? 0) > 0;
  const perRequest = operations.map((operation) => ({
    id: operation.id,
    quantities: quantitiesOf(operation, hasFirewall),
    requests: asked.get(operation.id) ?? 0,
  }));
  const idle: Quantities = {
    ...facts.monthly,
    storageGb: storedGb,
    recoveryGb: facts.hasRecovery ? storedGb : 0,
    ...(facts.users && { [facts.users]: activeUsers }),
  };
  const requested = sumOf(
    [idle],
    ...perRequest.map(({ quantities, requests }) => [quantities, requests] as const),
  );
  const together: Quantities = {
    traces: facts.traces ? tracesOf(requested.apiRequests ?? 0, facts.traces) : 0,
    customMetrics: metricsOf(perRequest.filter(({ requests }) => requests > 0).length),
  };
  return {
    pricesAsOf,
    region: pricesRegion,
    free,
    idle: chargesFor(idle, free),
    perMillion: perRequest.map(({ id, quantities }) => aMillion(id, quantities)),
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

function aMillion(operation: OperationId, quantities: Quantities) {
  const { lines, usd } = chargesFor(sumOf([quantities, million]), false);
  const byService: Record<string, number> = {};
  for (const { service, usd: part } of lines) {
    byService[service] = (byService[service] ?? 0) + part;
  }
  return { operation, byService, usd };
}

/** Of that many requests: so many of each second are traced, as if they came evenly, and of the others a share. */
export function tracesOf(
  requests: number,
  { perSecond, share }: NonNullable<StackFacts['traces']>,
) {
  const first = Math.min(requests, perSecond * secondsPerMonth);
  return first + share * (requests - first);
}

/**
 * The functions' log lines make metrics of their facts: for each operation that is used at every hour, and the authorizer,
 * all but those that the workers alone have, and the one that strangers make. What is zero makes none, so this is the most.
 */
export const metricsOf = (operationsInUse: number): number =>
  operationsInUse === 0 ? 0 : (operationsInUse + 1) * (Object.keys(metrics).length - 3);
