/** AWS's list prices in us-east-1, in US dollars, and the day on which they were known to hold. Prices change: look. */
export const pricesAsOf = '2025-07-01';
export const pricesRegion = 'us-east-1';

export interface Price {
  service: string;
  /** What one is of. */
  unit: string;
  /** Of a month, from the first one on; the last tier has no end. Quantities are whole, not in millions. */
  tiers: readonly { upTo?: number; usd: number }[];
  /** What every account has for nothing, always and each month. */
  free: number;
  /** The page that says so. */
  source: string;
}

const million = 1_000_000;
const terabyte = 1024;

const dynamoDb = { service: 'DynamoDB', source: 'Amazon DynamoDB pricing for on-demand capacity' };
const lambda = { service: 'Lambda', source: 'AWS Lambda pricing, Arm' };
const cloudWatch = { service: 'CloudWatch', source: 'Amazon CloudWatch pricing' };
const cognito = { service: 'Cognito', source: 'Amazon Cognito pricing, by feature plan' };
const waf = { service: 'WAF', source: 'AWS WAF pricing', free: 0 };

export const prices = {
  writeUnits: {
    ...dynamoDb,
    unit: 'write request units',
    free: 0,
    tiers: [{ usd: 0.625 / million }],
  },
  readUnits: {
    ...dynamoDb,
    unit: 'read request units',
    free: 0,
    tiers: [{ usd: 0.125 / million }],
  },
  storageGb: { ...dynamoDb, unit: 'GB stored', free: 25, tiers: [{ usd: 0.25 }] },
  recoveryGb: { ...dynamoDb, unit: 'GB kept recoverable', free: 0, tiers: [{ usd: 0.2 }] },
  lambdaRequests: {
    ...lambda,
    unit: 'requests',
    free: million,
    tiers: [{ usd: 0.2 / million }],
  },
  lambdaGbSeconds: {
    ...lambda,
    unit: 'GB-seconds',
    free: 400_000,
    tiers: [{ upTo: 7_500 * million, usd: 0.0000133334 }, { usd: 0.0000120001 }],
  },
  apiRequests: {
    service: 'API Gateway',
    unit: 'REST requests',
    free: 0,
    tiers: [
      { upTo: 333 * million, usd: 3.5 / million },
      { upTo: 1_000 * million, usd: 2.8 / million },
      { upTo: 20_000 * million, usd: 2.38 / million },
      { usd: 1.51 / million },
    ],
    source: 'Amazon API Gateway pricing, REST APIs',
  },
  dataOutGb: {
    service: 'Data out',
    unit: 'GB to the internet',
    free: 100,
    tiers: [
      { upTo: 10 * terabyte, usd: 0.09 },
      { upTo: 50 * terabyte, usd: 0.085 },
      { upTo: 150 * terabyte, usd: 0.07 },
      { usd: 0.05 },
    ],
    source: 'Amazon EC2 on-demand pricing, data transfer',
  },
  logGb: { ...cloudWatch, unit: 'GB of logs taken in', free: 5, tiers: [{ usd: 0.5 }] },
  logStorageGb: { ...cloudWatch, unit: 'GB of logs kept', free: 5, tiers: [{ usd: 0.03 }] },
  customMetrics: {
    ...cloudWatch,
    unit: 'custom metrics',
    free: 10,
    tiers: [{ upTo: 10_000, usd: 0.3 }, { usd: 0.1 }],
  },
  alarms: { ...cloudWatch, unit: 'alarms', free: 10, tiers: [{ usd: 0.1 }] },
  compositeAlarms: { ...cloudWatch, unit: 'composite alarms', free: 0, tiers: [{ usd: 0.5 }] },
  dashboards: { ...cloudWatch, unit: 'dashboards', free: 3, tiers: [{ usd: 3 }] },
  traces: {
    service: 'X-Ray',
    unit: 'traces recorded',
    free: 100_000,
    tiers: [{ usd: 5 / million }],
    source: 'AWS X-Ray pricing',
  },
  activeUsersLite: {
    ...cognito,
    unit: 'active users, Lite',
    free: 10_000,
    tiers: [
      { upTo: 100_000, usd: 0.0055 },
      { upTo: million, usd: 0.0046 },
      { upTo: 10 * million, usd: 0.00325 },
      { usd: 0.0025 },
    ],
  },
  activeUsersEssentials: {
    ...cognito,
    unit: 'active users, Essentials',
    free: 10_000,
    tiers: [{ usd: 0.015 }],
  },
  activeUsersPlus: { ...cognito, unit: 'active users, Plus', free: 0, tiers: [{ usd: 0.02 }] },
  webAcls: { ...waf, unit: 'web ACLs', tiers: [{ usd: 5 }] },
  wafRules: { ...waf, unit: 'rules', tiers: [{ usd: 1 }] },
  wafRequests: { ...waf, unit: 'requests', tiers: [{ usd: 0.6 / million }] },
  queueRequests: {
    service: 'SQS',
    unit: 'requests',
    free: million,
    tiers: [{ usd: 0.4 / million }],
    source: 'Amazon SQS pricing, standard queues',
  },
} as const satisfies Record<string, Price>;

export type PriceName = keyof typeof prices;
export const priceNames = Object.keys(prices).filter((name): name is PriceName => name in prices);

/** How much of what is charged for; what is absent is nothing. */
export type Quantities = Partial<Record<PriceName, number>>;
