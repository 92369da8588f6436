/**
 * Date on which the AWS list prices below were last checked. docs/cost.md lists the sources and the
 * age of older prices.
 */
export const pricesAsOf = '2026-11-23';
export const pricesRegion = 'us-east-1';

/**
 * Price of one unit in AWS's first price tier. For some services, the price per unit falls above
 * hundreds of millions of units per month.
 */
export interface Price {
  service: string;
  unit: string;
  usd: number;
  /** Units in the permanent free tier, per account and month. */
  free: number;
}

const price = (service: string, unit: string, usd: number, free = 0): Price => ({
  service,
  unit,
  usd,
  free,
});
const million = 1_000_000;

/** AWS's prices in US dollars, by billed unit. DynamoDB: on-demand capacity. Lambda: Arm. */
export const prices = {
  writeUnits: price('DynamoDB', 'write request units', 0.625 / million),
  readUnits: price('DynamoDB', 'read request units', 0.125 / million),
  storageGb: price('DynamoDB', 'GB stored', 0.25, 25),
  recoveryGb: price('DynamoDB', 'GB of recoverable data', 0.2),
  lambdaRequests: price('Lambda', 'requests', 0.2 / million, million),
  lambdaGbSeconds: price('Lambda', 'GB-seconds', 0.0000133334, 400_000),
  apiRequests: price('API Gateway', 'REST requests', 3.5 / million),
  dataOutGb: price('Data out', 'GB to the internet', 0.09, 100),
  logGb: price('CloudWatch', 'GB of ingested logs', 0.5, 5),
  customMetrics: price('CloudWatch', 'custom metrics', 0.3, 10),
  alarms: price('CloudWatch', 'alarms', 0.1, 10),
  dashboards: price('CloudWatch', 'dashboards', 3, 3),
  traces: price('X-Ray', 'traces recorded', 5 / million, 100_000),
  activeUsersLite: price('Cognito', 'active users, Lite', 0.0055, 10_000),
  activeUsersEssentials: price('Cognito', 'active users, Essentials', 0.015, 10_000),
  activeUsersPlus: price('Cognito', 'active users, Plus', 0.02),
  /** Each publication, delivery, connection and subscription counts as one operation per 5 KB. */
  appSyncOperations: price('AppSync', 'Event API operations', 1 / million),
  appSyncMinutes: price('AppSync', 'connection minutes', 0.08 / million),
  busEvents: price('EventBridge', 'events', 1 / million),
  fileGb: price('S3', 'GB of files', 0.023),
  filePuts: price('S3', 'uploads', 5 / million),
  fileGets: price('S3', 'downloads', 0.4 / million),
  scannedFiles: price('GuardDuty', 'scanned files', 215 / million),
  scannedGb: price('GuardDuty', 'GB scanned', 0.09),
  queueRequests: price('SQS', 'requests', 0.4 / million, million),
  keys: price('KMS', 'keys', 1),
  webAcls: price('WAF', 'web ACLs', 5),
  wafRules: price('WAF', 'rules', 1),
  wafRequests: price('WAF', 'requests', 0.6 / million),
} as const satisfies Record<string, Price>;

export type PriceName = keyof typeof prices;
export const priceNames = Object.keys(prices).filter((name): name is PriceName => name in prices);

/** Quantities of billed units; absent means zero. */
export type Quantities = Partial<Record<PriceName, number>>;

/** Returns the monthly cost of a quantity, minus the free tier if `free` is set. */
export const getCost = (name: PriceName, quantity: number, free: boolean): number =>
  Math.max(0, quantity - (free ? prices[name].free : 0)) * prices[name].usd;

/** Returns the sum of the quantities, each multiplied by its factor. */
export const addQuantities = (...parts: (readonly [Quantities, times?: number])[]): Quantities =>
  Object.fromEntries(
    priceNames
      .map((name) => [
        name,
        parts.reduce((sum, [one, times = 1]) => sum + (one[name] ?? 0) * times, 0),
      ])
      .filter(([, quantity]) => quantity !== 0),
  );
