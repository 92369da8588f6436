import { metrics } from '../../shared/metrics.ts';
import type { Quantities } from './prices.ts';
import type { StackFacts } from './stack-facts.ts';
import type { Volumes } from './volumes.ts';

const secondsPerMonth = (365 / 12) * 24 * 60 * 60;
/** The stream is asked by Lambda for nothing; the failures' queue is looked at by nobody, its alarm included. */
const queueRequests = 0;

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
  activeUsers: facts.hasUserPool ? activeUsers : 0,
  queueRequests,
});

/** Of that many requests: at least one a second is traced as long as there is one, and of the others a share. */
export const tracesOf = (requests: number, share: number): number =>
  Math.min(requests, secondsPerMonth) + share * Math.max(0, requests - secondsPerMonth);

/**
 * The functions' log lines make metrics of their facts: for each operation that is used at every hour, and the authorizer,
 * all but the one that the purge worker alone has. What is zero makes none, so this is the most.
 */
export const metricsOf = (operationsInUse: number): number =>
  operationsInUse === 0 ? 0 : (operationsInUse + 1) * (Object.keys(metrics).length - 1);

/** Of so many GB taken in each month, what is kept on average, compressed. */
export const keptLogGb = (monthlyGb: number, retentionDays: number, compression: number): number =>
  monthlyGb * (retentionDays / (365 / 12)) * compression;
