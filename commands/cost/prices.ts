/** AWS's list prices in us-east-1, in US dollars, and the day on which they were known to hold. Prices change: look. */
export const pricesAsOf = '2025-07-01';
export const pricesRegion = 'us-east-1';

/** Of one unit, as long as a month has few of them: beyond hundreds of millions some get cheaper. */
export interface Price {
  service: string;
  unit: string;
  usd: number;
  /** What every account has for nothing, always and each month. */
  free: number;
}

const price = (service: string, unit: string, usd: number, free = 0): Price => ({
  service,
  unit,
  usd,
  free,
});
const million = 1_000_000;

/** Each service's page on aws.amazon.com/…/pricing says so: DynamoDB's for on-demand capacity, Lambda's for Arm. */
export const prices = {
  writeUnits: price('DynamoDB', 'write request units', 0.625 / million),
  readUnits: price('DynamoDB', 'read request units', 0.125 / million),
  storageGb: price('DynamoDB', 'GB stored', 0.25, 25),
  recoveryGb: price('DynamoDB', 'GB kept recoverable', 0.2),
  lambdaRequests: price('Lambda', 'requests', 0.2 / million, million),
  lambdaGbSeconds: price('Lambda', 'GB-seconds', 0.0000133334, 400_000),
  apiRequests: price('API Gateway', 'REST requests', 3.5 / million),
  dataOutGb: price('Data out', 'GB to the internet', 0.09, 100),
  logGb: price('CloudWatch', 'GB of logs taken in', 0.5, 5),
  customMetrics: price('CloudWatch', 'custom metrics', 0.3, 10),
  alarms: price('CloudWatch', 'alarms', 0.1, 10),
  dashboards: price('CloudWatch', 'dashboards', 3, 3),
  traces: price('X-Ray', 'traces recorded', 5 / million, 100_000),
  activeUsersLite: price('Cognito', 'active users, Lite', 0.0055, 10_000),
  activeUsersEssentials: price('Cognito', 'active users, Essentials', 0.015, 10_000),
  activeUsersPlus: price('Cognito', 'active users, Plus', 0.02),
  /** A publication, a delivery, a connection, a subscription: of up to 5 KB each. */
  appSyncOperations: price('AppSync', 'Event API operations', 1 / million),
  appSyncMinutes: price('AppSync', 'connection minutes', 0.08 / million),
  webAcls: price('WAF', 'web ACLs', 5),
  wafRules: price('WAF', 'rules', 1),
  wafRequests: price('WAF', 'requests', 0.6 / million),
} as const satisfies Record<string, Price>;

export type PriceName = keyof typeof prices;
export const priceNames = Object.keys(prices).filter((name): name is PriceName => name in prices);

/** How much of what is charged for; what is absent is nothing. */
export type Quantities = Partial<Record<PriceName, number>>;

/** What so much costs in a month, less what is free where `free` says so. */
export const costOf = (name: PriceName, quantity: number, free: boolean): number =>
  Math.max(0, quantity - (free ? prices[name].free : 0)) * prices[name].usd;

/** The sum of them, each so many times. */
export const sumOf = (...parts: (readonly [Quantities, times?: number])[]): Quantities =>
  Object.fromEntries(
    priceNames
      .map((name) => [
        name,
        parts.reduce((sum, [one, times = 1]) => sum + (one[name] ?? 0) * times, 0),
      ])
      .filter(([, quantity]) => quantity !== 0),
  );
