import { metrics } from '../../shared/log/metrics.ts';
import type { PriceName, Quantities } from './prices.ts';
import type { StackFacts, UserPoolPlan } from './stack-facts.ts';
import type { Volumes } from './volumes.ts';

const secondsPerMonth = (365 / 12) * 24 * 60 * 60;
/** The stream is asked by Lambda for nothing; the failures' queue is looked at by nobody, its alarm included. */
const queueRequests = 0;

/** What people who sign in are charged as. */
const usersOf = {
  LITE: 'activeUsersLite',
  ESSENTIALS: 'activeUsersEssentials',
  PLUS: 'activeUsersPlus',
} as const satisfies Record<UserPoolPlan, PriceName>;

/** What a month takes although nothing is sent. */
export const idleQuantities = (
  facts: StackFacts,
  { storedGb, activeUsers }: Pick<Volumes, 'storedGb' | 'activeUsers'>,
): Quantities => ({
  alarms: facts.alarms,
  compositeAlarms: facts.compositeAlarms,
  dashboards: facts.dashboards,
  webAcls: facts.webAcls,
  wafRules: facts.wafRules,
  storageGb: storedGb,
  recoveryGb: facts.hasRecovery ? storedGb : 0,
  customMetrics: facts.mappingMetrics,
  ...(facts.userPoolPlan && { [usersOf[facts.userPoolPlan]]: activeUsers }),
  queueRequests,
});

/** Of that many requests: so many of each second are traced, as if they came evenly, and of the others a share. */
export const tracesOf = (
  requests: number,
  { perSecond, share }: { perSecond: number; share: number },
): number => {
  const first = Math.min(requests, perSecond * secondsPerMonth);
  return first + share * (requests - first);
};

/**
 * The functions' log lines make metrics of their facts: for each operation that is used at every hour, and the authorizer,
 * all but the one that the purge worker alone has, and the one that strangers make. What is zero makes none, so this is the most.
 */
export const metricsOf = (operationsInUse: number): number =>
  operationsInUse === 0 ? 0 : (operationsInUse + 1) * (Object.keys(metrics).length - 2);

/** Of so many GB taken in each month, what is kept on average, compressed. */
export const keptLogGb = (monthlyGb: number, retentionDays: number, compression: number): number =>
  monthlyGb * (retentionDays / (365 / 12)) * compression;
