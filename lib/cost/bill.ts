import { assumptions } from './assumptions.ts';
import { budgets, type OperationId } from './budgets.ts';
import { idleQuantities, keptLogGb, metricsOf, tracesOf } from './idle.ts';
import { quantitiesOf } from './one-request.ts';
import type { Quantities } from './prices.ts';
import { type PriceName, priceNames, prices, pricesAsOf, pricesRegion } from './prices.ts';
import { add, costOf, times } from './quantities.ts';
import type { StackFacts } from './stack-facts.ts';
import type { Volumes } from './volumes.ts';

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

const isOperation = (id: string): id is OperationId => Object.hasOwn(budgets, id);
export const operationIds = Object.keys(budgets).filter(isOperation);
const million = 1_000_000;

/** What the stack costs in a month in which that is done. */
export function billFor(facts: StackFacts, volumes: Volumes, free: boolean): Bill {
  const idle = idleQuantities(facts, volumes);
  const requests = operationIds.map((id) =>
    times(quantitiesOf(id, volumes, facts), volumes.requests.get(id) ?? 0),
  );
  const inUse = operationIds.filter((id) => (volumes.requests.get(id) ?? 0) > 0);
  return {
    pricesAsOf,
    region: pricesRegion,
    free,
    idle: chargesFor(idle, free),
    perMillion: operationIds.map((id) => aMillion(id, volumes, facts)),
    month: chargesFor(withWhatFollows(add(idle, ...requests), facts, inUse.length), free),
  };
}

/** Traces, metrics and stored logs, which depend on all requests of the month together. */
function withWhatFollows(quantities: Quantities, facts: StackFacts, inUse: number): Quantities {
  const { apiRequests = 0, logGb = 0 } = quantities;
  return add(quantities, {
    traces: facts.traces ? tracesOf(apiRequests, facts.traces) : 0,
    customMetrics: metricsOf(inUse),
    logStorageGb: keptLogGb(logGb, facts.logRetentionDays, assumptions.logCompression),
  });
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

function aMillion(operation: OperationId, volumes: Volumes, facts: StackFacts) {
  const { lines, usd } = chargesFor(times(quantitiesOf(operation, volumes, facts), million), false);
  const byService: Record<string, number> = {};
  for (const { service, usd: part } of lines) {
    byService[service] = (byService[service] ?? 0) + part;
  }
  return { operation, byService, usd };
}
