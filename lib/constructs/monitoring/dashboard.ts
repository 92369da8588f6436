import { Aws, Duration, Stack } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { MetricName } from '../../../shared/log/metrics.ts';
import {
  functionsOf,
  functionThrottles,
  gatewayMetrics,
  type LogMetric,
  type MonitoredResources,
  period,
  requestsOf,
  tableThrottles,
} from './cloudwatch-metrics.ts';

/** Creates the dashboard of the service, from what users experience down to its causes. */
export function createDashboard(
  scope: Construct,
  watched: MonitoredResources,
  logMetric: LogMetric,
  alarms: Alarm[],
): Dashboard {
  const { stackName } = Stack.of(scope);
  return new Dashboard(scope, 'Dashboard', {
    // Dashboard names are shared by all regions of an account.
    dashboardName: `${stackName}-${Aws.REGION}`,
    defaultInterval: Duration.hours(12),
    widgets: [
      [
        new AlarmStatusWidget({
          title: 'Alarms: see docs/runbook.md',
          alarms,
          width: 24,
          height: 3,
        }),
      ],
      ...widgets(watched, logMetric),
    ],
  });
}

function widgets(watched: MonitoredResources, logMetric: LogMetric): IWidget[][] {
  const { api, table, functions, purge, live } = watched;
  const { requests, clientErrors, serverErrors, latency } = gatewayMetrics(api);
  const operations = functions.map(({ operation }) => operation.id);
  const sums = (name: MetricName) =>
    operations.map((id) => logMetric(id, name, { statistic: Stats.SUM }));
  return [
    [
      stack(
        'Requests, by operation',
        operations.map((id) => requestsOf(logMetric, id)),
      ),
      stack('Internal errors (5xx), by operation', sums('fault')),
      lines('At the gateway', [
        requests.with({ label: 'requests' }),
        clientErrors.with({ label: 'refused (4xx)' }),
        serverErrors.with({ label: 'failed (5xx)' }),
      ]),
    ],
    [
      lines(
        'Latency at the gateway, milliseconds',
        [50, 90, 99].map((p) => latency(Stats.p(p))),
      ),
      lines(
        '90th percentile of latency by operation, milliseconds',
        operations.map((id) => logMetric(id, 'milliseconds', { statistic: Stats.p(90) })),
      ),
      stack('Cold starts, by operation', sums('cold_start')),
    ],
    [
      stack('Read units, by operation', sums('read_units')),
      stack('Write units, by operation', sums('write_units')),
      lines('Throttled table calls', [
        functionThrottles(functionsOf(watched)),
        tableThrottles(table),
      ]),
    ],
    [
      lines('Deleted conversations waiting to be purged', [
        purge.failures.metricApproximateNumberOfMessagesVisible({ period, label: 'abandoned' }),
        new MathExpression({
          expression: 'seconds / 3600',
          usingMetrics: {
            seconds: logMetric('purge', 'unfinished_seconds', { statistic: Stats.MAXIMUM }),
          },
          period,
          label: 'oldest unfinished, hours',
        }),
        new MathExpression({
          expression: 'milliseconds / 60000',
          usingMetrics: {
            milliseconds: purge.metric('IteratorAge', { period, statistic: Stats.MAXIMUM }),
          },
          period,
          label: 'worker lag, minutes',
        }),
      ]),
      stack('Write units of the purge', [
        logMetric('purge', 'write_units', { statistic: Stats.SUM }),
      ]),
      lines('Authorizer', [
        requestsOf(logMetric, 'authorizer', 'tokens checked'),
        logMetric('authorizer', 'fault', { statistic: Stats.SUM, label: 'failed' }),
        logMetric('authorizer', 'cold_start', { statistic: Stats.SUM, label: 'cold starts' }),
        logMetric('authorizer', 'milliseconds', {
          statistic: Stats.p(99),
          label: 'milliseconds, p99',
        }),
      ]),
    ],
    [
      ...(live
        ? [
            lines('Feeds', [
              live.failures.metricApproximateNumberOfMessagesVisible({
                period,
                label: 'abandoned',
              }),
              new MathExpression({
                expression: 'milliseconds / 1000',
                usingMetrics: {
                  milliseconds: live.metric('IteratorAge', { period, statistic: Stats.MAXIMUM }),
                },
                period,
                label: 'worker lag, seconds',
              }),
              logMetric('live', 'write_units', { statistic: Stats.SUM, label: 'write units' }),
              logMetric('live', 'lost_pushes', { statistic: Stats.SUM, label: 'lost pushes' }),
            ]),
          ]
        : []),
      stack('Replayed replies (Idempotency-Key), by operation', sums('replayed')),
      stack('Write conflicts, by operation', sums('conflicts')),
    ],
  ];
}

/** A third of a row. */
const size = { width: 8, height: 6 };

const lines = (title: string, left: IMetric[]) =>
  new GraphWidget({ title, left, ...size, leftYAxis: { min: 0, showUnits: false } });

/** Stacked graphs: the total is what matters. */
const stack = (title: string, left: IMetric[]) =>
  new GraphWidget({
    title,
    left,
    stacked: true,
    ...size,
    leftYAxis: { min: 0, showUnits: false },
  });
