import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { StreamWorker } from '../functions/stream-worker.ts';
import type { PushApi } from '../push-api.ts';
import type { AlarmDefinition } from './alarm-definition.ts';
import {
  deniedTokens,
  functionThrottles,
  gatewayMetrics,
  getMonitoredFunctions,
  type LogMetric,
  lostPushShare,
  type MonitoredResources,
  period,
  purgePeriod,
  queueDepth,
  tableThrottles,
  unknownKeys,
  unreadWrites,
} from './cloudwatch-metrics.ts';
import { scanAlarms } from './scan-alarms.ts';
import { thumbnailAlarms } from './thumbnail-alarms.ts';
import { webhookAlarms } from './webhook-alarms.ts';

/** Returns the alarms for failed, slow and denied requests. */
export function requestAlarms(
  { api, authorizer }: MonitoredResources,
  logMetric: LogMetric,
): Record<string, AlarmDefinition> {
  const { requests, serverErrors, latency } = gatewayMetrics(api);
  return {
    ServerErrors: {
      severity: 'page',
      symptom: 'More than 1% of the requests fail with an internal error',
      runbookEntry: 'server-errors',
      // Requires at least five failures, because a percentage of few requests is not meaningful.
      // After the service's retries, transient AWS errors cause fewer than 1% of requests to fail.
      metric: new MathExpression({
        // Excludes 503 replies to requests whose token has an unknown key, because anyone can make
        // up a token.
        expression:
          'IF(errors - FILL(made_up, 0) >= 5, 100 * (errors - FILL(made_up, 0)) / requests, 0)',
        usingMetrics: { errors: serverErrors, requests, made_up: unknownKeys(logMetric) },
        period,
        label: 'failed, %',
      }),
      threshold: 1,
    },
    SlowRequests: {
      severity: 'page',
      symptom: 'At least 1% of the requests take more than 3 seconds',
      runbookEntry: 'slow-requests',
      // A cold start of both the authorizer and the handler takes about a second. The alarm
      // requires three periods, so that a burst of cold starts does not raise it.
      metric: latency(Stats.p(99)),
      threshold: 3000,
      breachingPeriods: 3,
    },
    AuthorizerErrors: {
      severity: 'page',
      symptom: 'Tokens cannot be checked',
      runbookEntry: 'authorizer-errors',
      // An invalid token is not an error. A single failure affects one request, which the client
      // retries. Several failures mean that the issuer's keys are unreachable or the function is
      // broken.
      metric: authorizer.metricErrors({ period, statistic: Stats.SUM }),
      threshold: 2,
    },
    TokensDenied: {
      severity: 'page',
      symptom: 'Nearly all tokens are denied',
      runbookEntry: 'tokens-denied',
      // If the audience, issuer or claim mapping is wrong, the authorizer denies every token
      // without an error.
      metric: deniedTokens(logMetric),
      threshold: 80,
    },
  };
}

/** Returns the alarms for the resources behind the API. */
export function backendAlarms(
  watched: MonitoredResources,
  logMetric: LogMetric,
): Record<string, AlarmDefinition> {
  const { table, live, push, bus, scan, thumbnails, webhooks } = watched;
  return {
    ...functionThrottleAlarms(watched),
    TableThrottles: {
      severity: 'page',
      symptom: 'The table or an index throttles calls',
      runbookEntry: 'table-throttles',
      // A busy partition throttles a few calls, which the service retries. Throttling for 15
      // minutes means that the load on a partition or the table is too high.
      metric: tableThrottles(table),
      threshold: 10,
      breachingPeriods: 3,
    },
    ...purgeAlarms(watched, logMetric),
    ...(live && feedAlarms(watched, live)),
    ...(push && pushAlarms(push, logMetric)),
    ...(bus && busAlarms(logMetric)),
    ...(scan && scanAlarms(scan, logMetric)),
    ...(thumbnails && thumbnailAlarms(thumbnails)),
    ...(webhooks && webhookAlarms(webhooks, logMetric)),
  };
}

const purgeAlarms = (
  { table, purge }: MonitoredResources,
  logMetric: LogMetric,
): Record<string, AlarmDefinition> => ({
  PurgeFailures: {
    severity: 'ticket',
    symptom: 'Deleted conversations or files could not be purged',
    runbookEntry: 'purge-failures',
    // Lambda abandoned each record after twenty retries or 12 hours.
    ...abandonedRecords(purge),
  },
  PurgeErrors: {
    severity: 'ticket',
    symptom: 'The purge worker fails or times out',
    runbookEntry: 'purge-errors',
    ...workerErrors(purge),
  },
  PurgeBehind: {
    severity: 'ticket',
    symptom: 'Purge worker lag above 1 hour',
    runbookEntry: 'purge-behind',
    // The lag is usually a minute or two. When the lag reaches one hour, 11 hours remain until
    // Lambda abandons records.
    metric: purge.metric('IteratorAge', { period: purgePeriod, statistic: Stats.MAXIMUM }),
    threshold: Duration.hours(1).toMilliseconds(),
  },
  PurgeOff: {
    severity: 'ticket',
    symptom: 'The table receives writes, but the purge worker does not read its stream',
    runbookEntry: 'purge-behind',
    // If Lambda does not read the stream, it publishes no IteratorAge, and PurgeBehind does not
    // fire. Three breaching periods within four hours suffice, because stages with little traffic
    // have periods without writes. Eight hours then remain until Lambda abandons records.
    metric: unreadWrites(table, purge),
    threshold: 0,
    breachingPeriods: 3,
    evaluatedPeriods: 16,
  },
  PurgeStuck: {
    severity: 'ticket',
    symptom: 'A deleted conversation was not purged within 6 hours',
    runbookEntry: 'purge-stuck',
    // The worker removes up to 24,000 messages of up to 1 KB a minute. After six hours, the
    // conversation has more than eight million such messages, or larger ones, or the purge is
    // stuck.
    metric: logMetric('purge', 'unfinished_seconds', { statistic: Stats.MAXIMUM }).with({
      period: purgePeriod,
    }),
    threshold: Duration.hours(6).toSeconds(),
  },
});

const feedAlarms = (
  { table }: MonitoredResources,
  live: StreamWorker,
): Record<string, AlarmDefinition> => ({
  LiveBehind: {
    severity: 'page',
    symptom: 'Event delivery lag above 1 minute',
    runbookEntry: 'live-behind',
    // The lag is usually below a second. The alarm requires three periods, because a splitting
    // shard can cause a minute of lag.
    metric: live.metric('IteratorAge', {
      period: Duration.minutes(1),
      statistic: Stats.MAXIMUM,
    }),
    threshold: Duration.minutes(1).toMilliseconds(),
    breachingPeriods: 3,
  },
  LiveOff: {
    severity: 'page',
    symptom: 'The table receives writes, but the live worker does not read its stream',
    runbookEntry: 'live-behind',
    // Without reads, Lambda publishes no IteratorAge, so LiveBehind does not fire.
    metric: unreadWrites(table, live),
    threshold: 0,
  },
  LiveErrors: {
    severity: 'ticket',
    symptom: 'The live worker fails or times out',
    runbookEntry: 'live-errors',
    ...workerErrors(live),
  },
  LiveFailures: {
    severity: 'page',
    symptom: 'Changes are missing from feeds',
    runbookEntry: 'live-failures',
    // Lambda abandoned each missing change after retrying it for 23 hours.
    ...abandonedRecords(live),
  },
});

const pushAlarms = (
  { authorizer }: PushApi,
  logMetric: LogMetric,
): Record<string, AlarmDefinition> => ({
  LostPushes: {
    severity: 'ticket',
    symptom: 'Some events are not pushed to listeners',
    runbookEntry: 'lost-pushes',
    // A few lost pushes are harmless, because the feed contains the events. More than ten lost
    // pushes in each of three consecutive periods indicate a fault.
    metric: logMetric('live', 'lost_pushes', { statistic: Stats.SUM }),
    threshold: 10,
    breachingPeriods: 3,
  },
  LostPushShare: {
    severity: 'ticket',
    symptom: 'More than half of the events are not pushed to listeners',
    runbookEntry: 'lost-pushes',
    // A stage with few events never reaches the threshold of LostPushes.
    metric: lostPushShare(logMetric),
    threshold: 50,
    breachingPeriods: 2,
    evaluatedPeriods: 6,
  },
  ChannelAuthorizerErrors: {
    severity: 'ticket',
    symptom: 'Listeners cannot be authorized',
    runbookEntry: 'channel-authorizer-errors',
    // Like AuthorizerErrors, but less severe: clients that cannot listen still read their feeds.
    metric: authorizer.metricErrors({ period, statistic: Stats.SUM }),
    threshold: 2,
  },
});

const busAlarms = (logMetric: LogMetric): Record<string, AlarmDefinition> => ({
  BusFailures: {
    severity: 'page',
    symptom: 'The event bus refuses events',
    runbookEntry: 'bus-failures',
    // The bus refused each event three times. Lambda then retries the change, and later changes
    // wait.
    metric: logMetric('live', 'bus_failures', { statistic: Stats.SUM }),
    threshold: 0,
    breachingPeriods: 2,
  },
});

/**
 * Counts failed invocations. The worker reports failed records without failing itself. Lambda
 * retries the batch, so a single failure is harmless.
 */
const workerErrors = (worker: StreamWorker) => ({
  metric: worker.metricErrors({ period, statistic: Stats.SUM }),
  threshold: 0,
  breachingPeriods: 3,
});

const abandonedRecords = ({ failures }: StreamWorker) => ({
  metric: queueDepth(failures),
  threshold: 0,
});

/**
 * Maximum number of metrics in an alarm's expression. A stage has more functions than one alarm can
 * cover, so several alarms cover them.
 */
const maxMetrics = 10;

function functionThrottleAlarms(watched: MonitoredResources) {
  const all = getMonitoredFunctions(watched);
  const alarms = Array.from(
    { length: Math.ceil(all.length / maxMetrics) },
    (_, n): AlarmDefinition => {
      const group = all.slice(n * maxMetrics, (n + 1) * maxMetrics);
      return {
        severity: 'page',
        symptom: `Lambda throttles functions (${group.map(({ node }) => node.id).join(', ')})`,
        runbookEntry: 'function-throttles',
        metric: functionThrottles(group),
        // In a burst above its scaling rate, Lambda throttles a few invocations, which Lambda or
        // the clients retry. If Lambda throttles more invocations, many requests fail at the
        // gateway.
        threshold: 5,
      };
    },
  );
  return Object.fromEntries(alarms.map((alarm, n) => [`FunctionThrottles${n + 1}`, alarm]));
}
