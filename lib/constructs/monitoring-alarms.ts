import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import {
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

interface AlarmRow {
  /** What is wrong, as a person is told it; `page` is its entry in the runbook. */
  says: string;
  page: string;
  metric: IMetric;
  /** Raised when the metric is above it … */
  above: number;
  /** … in so many periods one after the other … */
  periods?: number;
  /** … or in that many of them. */
  of?: number;
}

/** The alarms that concern requests: new code is taken back when one is raised while it is being let in. */
export function requestAlarms({ api, authorizer }: Watched): Record<string, AlarmRow> {
  const { requests, serverErrors, latency } = gatewayMetrics(api);
  return {
    ServerErrors: {
      says: 'More than 1% of the requests fail by a fault of ours',
      page: 'server-errors',
      // Of few requests a rate says nothing: it takes five that failed. Then one in a hundred is more than clients that
      // repeat, and the SDK’s own repetitions before them, leave of the faults that AWS has every day.
      metric: new MathExpression({
        // Without the 503s for tokens of keys that nobody has: anybody can make up some, and nothing fails.
        expression:
          'IF(errors - FILL(made_up, 0) >= 5, 100 * (errors - FILL(made_up, 0)) / requests, 0)',
        usingMetrics: { errors: serverErrors, requests, made_up: unknownKeys(api) },
        period,
        label: 'failed, %',
      }),
      above: 1,
    },
    SlowRequests: {
      says: 'One in a hundred requests takes more than 3 seconds',
      page: 'slow-requests',
      // A start of both functions takes one second. A quarter of an hour, so that a burst of starts wakes nobody.
      metric: latency(Stats.p(99)),
      above: 3000,
      periods: 3,
    },
    AuthorizerErrors: {
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
  const { table, purge } = watched;
  return {
    ...functionThrottleAlarms(watched),
    TableThrottles: {
      says: 'The table or an index refuses calls for want of throughput',
      page: 'table-throttles',
      // A partition that gets busy refuses a few calls until it is split, and the client repeats them. A quarter of an
      // hour of it is too much for one partition, or for the table.
      metric: tableThrottles(table),
      above: 10,
      periods: 3,
    },
    PurgeFailures: {
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
      says: 'The purge worker itself fails, or is ended before it answers',
      page: 'purge-errors',
      // It reports what it fails on, and that is no error. Lambda calls again by itself, so one does no harm.
      metric: purge.metricErrors({ period, statistic: Stats.SUM }),
      above: 0,
      periods: 3,
    },
    PurgeBehind: {
      says: 'The purge worker is more than an hour behind the deletions',
      page: 'purge-behind',
      // Mostly it is a minute or two; it can be an hour behind before 11 are left until records are given up on.
      metric: purge.metric('IteratorAge', { period: purgePeriod, statistic: Stats.MAXIMUM }),
      above: Duration.hours(1).toMilliseconds(),
    },
    PurgeOff: {
      says: 'The table is written, and nothing is read of its stream for the purge',
      page: 'purge-behind',
      // Without reading there is no IteratorAge: that alarm is silent. Three quarters of an hour with writes within four
      // hours, so that a stage with little to do tells as well; there are eight left until records are given up on.
      metric: unreadWrites(table, purge),
      above: 0,
      periods: 3,
      of: 16,
    },
    PurgeStuck: {
      says: 'A conversation that was deleted more than 6 hours ago is still not purged',
      page: 'purge-stuck',
      // By design a million messages take an hour: this is a conversation of more than six millions, or a purge that
      // does not come to its end.
      metric: logMetric('purge', 'unfinished_seconds', { statistic: Stats.MAXIMUM }).with({
        period: purgePeriod,
      }),
      above: Duration.hours(6).toSeconds(),
    },
  };
}

/** An alarm looks at ten metrics at most, and there are more functions. */
const mostMetrics = 10;

function functionThrottleAlarms({ functions, authorizer, purge }: Watched) {
  const all = [authorizer, purge, ...functions];
  const alarms = Array.from({ length: Math.ceil(all.length / mostMetrics) }, (_, n): AlarmRow => {
    const some = all.slice(n * mostMetrics, (n + 1) * mostMetrics);
    return {
      says: `Lambda refuses calls of functions for want of concurrency (${some.map(({ node }) => node.id).join(', ')})`,
      page: 'function-throttles',
      metric: functionThrottles(some),
      // A few are a burst that starts faster than Lambda does, and are repeated; what is above fails at the gateway.
      above: 5,
    };
  });
  return Object.fromEntries(alarms.map((alarm, n) => [`FunctionThrottles${n + 1}`, alarm]));
}

/** Makes the alarms; the topic is told when one is raised and when it is over. */
export function raise(
  scope: Construct,
  topic: ITopic,
  rows: Readonly<Record<string, AlarmRow>>,
): Alarm[] {
  const action = new SnsAction(topic);
  return Object.entries(rows).map(
    ([id, { says, page, metric, above, periods = 1, of = periods }]) => {
      const alarm = new Alarm(scope, id, {
        alarmDescription: `${says}: docs/runbook.md#${page}`,
        metric,
        threshold: above,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        evaluationPeriods: of,
        ...(of > periods && { datapointsToAlarm: periods }),
        // When nobody asks for anything, nothing is wrong.
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
      return alarm;
    },
  );
}
