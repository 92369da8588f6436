import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmRow } from './alarm-row.ts';
import {
  functionsOf,
  functionThrottles,
  gatewayMetrics,
  type LogMetric,
  period,
  purgePeriod,
  tableThrottles,
  unknownKeys,
  unreadWrites,
  type Watched,
} from './monitoring-metrics.ts';
import type { StreamWorker } from './stream-worker.ts';

/** The alarms that concern requests, as those who ask meet them. */
export function requestAlarms(
  { api, authorizer }: Watched,
  logMetric: LogMetric,
): Record<string, AlarmRow> {
  const { requests, serverErrors, latency } = gatewayMetrics(api);
  return {
    ServerErrors: {
      severity: 'page',
      says: 'More than 1% of the requests fail by a fault of ours',
      page: 'server-errors',
      // Of few requests a rate says nothing: it takes five that failed. Then one in a hundred is more than clients that
      // repeat, and the SDK’s own repetitions before them, leave of the faults that AWS has every day.
      metric: new MathExpression({
        // Without the 503s for tokens of keys that nobody has: anybody can make up some, and nothing fails.
        expression:
          'IF(errors - FILL(made_up, 0) >= 5, 100 * (errors - FILL(made_up, 0)) / requests, 0)',
        usingMetrics: { errors: serverErrors, requests, made_up: unknownKeys(logMetric) },
        period,
        label: 'failed, %',
      }),
      above: 1,
    },
    SlowRequests: {
      severity: 'page',
      says: 'One in a hundred requests takes more than 3 seconds',
      page: 'slow-requests',
      // A start of both functions takes one second. A quarter of an hour, so that a burst of starts wakes nobody.
      metric: latency(Stats.p(99)),
      above: 3000,
      periods: 3,
    },
    AuthorizerErrors: {
      severity: 'page',
      says: 'Tokens cannot be checked',
      page: 'authorizer-errors',
      // A bad token is no error. One failure is one request that is told to come again; several, that the keys of the
      // identity provider are out of reach, or the function is broken: then nobody gets in.
      metric: authorizer.metricErrors({ period, statistic: Stats.SUM }),
      above: 2,
    },
  };
}

/** The alarms that concern what is behind the requests, now or later. */
export function otherAlarms(watched: Watched, logMetric: LogMetric): Record<string, AlarmRow> {
  const { table, purge, live } = watched;
  return {
    ...functionThrottleAlarms(watched),
    TableThrottles: {
      severity: 'page',
      says: 'The table or an index refuses calls for want of throughput',
      page: 'table-throttles',
      // A partition that gets busy refuses a few calls until it is split, and the client repeats them. A quarter of an
      // hour of it is too much for one partition, or for the table.
      metric: tableThrottles(table),
      above: 10,
      periods: 3,
    },
    PurgeFailures: {
      severity: 'ticket',
      says: 'Deleted conversations could not be purged',
      page: 'purge-failures',
      // Each has failed twenty times already.
      metric: purge.failures.metricApproximateNumberOfMessagesVisible({
        period,
        statistic: Stats.MAXIMUM,
      }),
      above: 0,
    },
    PurgeErrors: {
      severity: 'ticket',
      says: 'The purge worker itself fails, or is ended before it answers',
      page: 'purge-errors',
      // It reports what it fails on, and that is no error. Lambda calls again by itself, so one does no harm.
      metric: purge.metricErrors({ period, statistic: Stats.SUM }),
      above: 0,
      periods: 3,
    },
    PurgeBehind: {
      severity: 'ticket',
      says: 'The purge worker is more than an hour behind the deletions',
      page: 'purge-behind',
      // Mostly it is a minute or two; it can be an hour behind before 11 are left until records are given up on.
      metric: purge.metric('IteratorAge', { period: purgePeriod, statistic: Stats.MAXIMUM }),
      above: Duration.hours(1).toMilliseconds(),
    },
    PurgeOff: {
      severity: 'ticket',
      says: 'The table is written, and nothing is read of its stream for the purge',
      page: 'purge-behind',
      // Without reading there is no IteratorAge: that alarm is silent. Three quarters of an hour with writes within four
      // hours, so that a stage with little to do tells as well; there are eight left until records are given up on.
      metric: unreadWrites(table, purge),
      above: 0,
      periods: 3,
      outOf: 16,
    },
    PurgeStuck: {
      severity: 'ticket',
      says: 'A conversation that was deleted more than 6 hours ago is still not purged',
      page: 'purge-stuck',
      // By design a million messages take an hour: this is a conversation of more than six millions, or a purge that
      // does not come to its end.
      metric: logMetric('purge', 'unfinished_seconds', { statistic: Stats.MAXIMUM }).with({
        period: purgePeriod,
      }),
      above: Duration.hours(6).toSeconds(),
    },
    ...(live ? liveAlarms(live, table, logMetric) : {}),
  };
}

/** The alarms that concern the feeds, and whoever listens. */
function liveAlarms(
  live: StreamWorker,
  table: Watched['table'],
  logMetric: LogMetric,
): Record<string, AlarmRow> {
  return {
    LiveBehind: {
      severity: 'page',
      says: 'What happens is told more than a minute late',
      page: 'live-behind',
      // Mostly it is less than a second. Three minutes of it: a shard of the stream that splits may cost one.
      metric: live.metric('IteratorAge', {
        period: Duration.minutes(1),
        statistic: Stats.MAXIMUM,
      }),
      above: Duration.minutes(1).toMilliseconds(),
      periods: 3,
    },
    LiveOff: {
      severity: 'page',
      says: 'The table is written, and nothing is read of its stream for the feeds',
      page: 'live-behind',
      // Without reading there is no IteratorAge: that alarm is silent.
      metric: unreadWrites(table, live),
      above: 0,
    },
    LiveErrors: {
      severity: 'ticket',
      says: 'The live worker itself fails, or is ended before it answers',
      page: 'live-errors',
      // It reports what it fails on, and that is no error. Lambda calls again by itself, so one does no harm.
      metric: live.metricErrors({ period, statistic: Stats.SUM }),
      above: 0,
      periods: 3,
    },
    LostPushes: {
      severity: 'ticket',
      says: 'What happens is not told to those who listen',
      page: 'lost-pushes',
      // Some a day are no harm: a second try was lost too, and the feed has them. A quarter of an hour of it is a fault.
      metric: logMetric('live', 'lost_pushes', { statistic: Stats.SUM }),
      above: 10,
      periods: 3,
    },
    LiveFailures: {
      severity: 'page',
      says: 'Changes are missing in feeds for good',
      page: 'live-failures',
      // Each was tried for most of a day.
      metric: live.failures.metricApproximateNumberOfMessagesVisible({
        period,
        statistic: Stats.MAXIMUM,
      }),
      above: 0,
    },
  };
}

/** An alarm looks at ten metrics at most, and there are more functions. */
const maxMetrics = 10;

function functionThrottleAlarms(watched: Watched) {
  const all = functionsOf(watched);
  const alarms = Array.from({ length: Math.ceil(all.length / maxMetrics) }, (_, n): AlarmRow => {
    const some = all.slice(n * maxMetrics, (n + 1) * maxMetrics);
    return {
      severity: 'page',
      says: `Lambda refuses calls of functions for want of concurrency (${some.map(({ node }) => node.id).join(', ')})`,
      page: 'function-throttles',
      metric: functionThrottles(some),
      // A few are a burst that starts faster than Lambda does, and are repeated; what is above fails at the gateway.
      above: 5,
    };
  });
  return Object.fromEntries(alarms.map((alarm, n) => [`FunctionThrottles${n + 1}`, alarm]));
}
