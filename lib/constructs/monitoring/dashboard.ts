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
import type { StreamWorker } from '../functions/stream-worker.ts';
import type { Webhooks } from '../functions/webhooks.ts';
import {
  createRequestMetric,
  functionThrottles,
  gatewayMetrics,
  getMonitoredFunctions,
  type LogMetric,
  type MonitoredResources,
  period,
  pushMetric,
  tableThrottles,
} from './cloudwatch-metrics.ts';

/** Creates the dashboard, with user-visible symptoms at the top and causes below. */
export function createDashboard(
  scope: Construct,
  watched: MonitoredResources,
  logMetric: LogMetric,
  alarms: Alarm[],
): Dashboard {
  const { stackName } = Stack.of(scope);
  return new Dashboard(scope, 'Dashboard', {
    // All regions of an account share one namespace of dashboards.
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
  const operations = watched.functions.flatMap(({ loggedOperations }) => loggedOperations);
  const sums = (name: MetricName) =>
    operations.map((id) => logMetric(id, name, { statistic: Stats.SUM }));
  return [
    requestRow(watched, logMetric, operations, sums('fault')),
    latencyRow(watched, logMetric, operations, sums('cold_start')),
    [
      stack('Read units, by operation', sums('read_units')),
      stack('Write units, by operation', sums('write_units')),
      lines('Throttled calls', [
        functionThrottles(getMonitoredFunctions(watched)),
        tableThrottles(watched.table),
      ]),
    ],
    purgeRow(watched, logMetric),
    ...(watched.webhooks ? [webhookRow(watched.webhooks, logMetric)] : []),
    [
      ...liveWidgets(watched, logMetric),
      stack('Replayed replies (Idempotency-Key), by operation', sums('replayed')),
      stack('Write conflicts, by operation', sums('conflicts')),
    ],
  ];
}

function requestRow(
  { api }: MonitoredResources,
  logMetric: LogMetric,
  operations: string[],
  faults: IMetric[],
): IWidget[] {
  const { requests, clientErrors, serverErrors } = gatewayMetrics(api);
  return [
    stack(
      'Requests, by operation',
      operations.map((id) => createRequestMetric(logMetric, id)),
    ),
    stack('Internal errors (5xx), by operation', faults),
    lines('At the gateway', [
      requests.with({ label: 'requests' }),
      clientErrors.with({ label: 'refused (4xx)' }),
      serverErrors.with({ label: 'failed (5xx)' }),
    ]),
  ];
}

const latencyRow = (
  { api }: MonitoredResources,
  logMetric: LogMetric,
  operations: string[],
  coldStarts: IMetric[],
): IWidget[] => [
  lines(
    'Latency at the gateway, milliseconds',
    [50, 90, 99].map((p) => gatewayMetrics(api).latency(Stats.p(p))),
  ),
  lines(
    '90th percentile of latency by operation, milliseconds',
    operations.map((id) => logMetric(id, 'milliseconds', { statistic: Stats.p(90) })),
  ),
  stack('Cold starts, by operation', coldStarts),
];

const purgeRow = ({ purge }: MonitoredResources, logMetric: LogMetric): IWidget[] => [
  lines('Deleted conversations waiting to be purged', [
    abandoned(purge),
    new MathExpression({
      expression: 'seconds / 3600',
      usingMetrics: {
        seconds: logMetric('purge', 'unfinished_seconds', { statistic: Stats.MAXIMUM }),
      },
      period,
      label: 'oldest unfinished, hours',
    }),
    lag(purge, 60_000, 'minutes'),
  ]),
  stack('Write units of the purge', [logMetric('purge', 'write_units', { statistic: Stats.SUM })]),
  lines('Authorizer', [
    createRequestMetric(logMetric, 'authorizer', 'tokens checked'),
    logMetric('authorizer', 'denied', { statistic: Stats.SUM, label: 'denied' }),
    logMetric('authorizer', 'fault', { statistic: Stats.SUM, label: 'failed' }),
    logMetric('authorizer', 'cold_start', { statistic: Stats.SUM, label: 'cold starts' }),
    logMetric('authorizer', 'milliseconds', {
      statistic: Stats.p(99),
      label: 'milliseconds, p99',
    }),
  ]),
];

const webhookRow = ({ deadLetters }: Webhooks, logMetric: LogMetric): IWidget[] => [
  stack('Attempts to deliver events to webhook endpoints', [
    logMetric('webhooks', 'delivered', { statistic: Stats.SUM, label: 'delivered' }),
    logMetric('webhooks', 'failed_attempts', { statistic: Stats.SUM, label: 'failed' }),
  ]),
  lines('Webhook sender', [
    logMetric('webhooks', 'oldest_seconds', { statistic: Stats.MAXIMUM, label: 'lag, seconds' }),
    deadLetters.metricApproximateNumberOfMessagesVisible({ period, label: 'dead letters' }),
    logMetric('webhooks', 'fault', { statistic: Stats.SUM, label: 'failed' }),
  ]),
];

const liveWidgets = ({ live, push, bus }: MonitoredResources, logMetric: LogMetric): IWidget[] => [
  ...(live
    ? [
        lines('Feeds', [
          abandoned(live),
          lag(live, 1000, 'seconds'),
          logMetric('live', 'write_units', { statistic: Stats.SUM, label: 'write units' }),
          logMetric('live', 'lost_pushes', { statistic: Stats.SUM, label: 'lost pushes' }),
          ...(bus
            ? [logMetric('live', 'bus_failures', { statistic: Stats.SUM, label: 'bus failures' })]
            : []),
        ]),
      ]
    : []),
  ...(push
    ? [
        lines('Push API (AppSync)', [
          pushMetric(push, '4XXError', 'refused publications'),
          pushMetric(push, '5XXError', 'failed publications'),
          pushMetric(push, 'ConnectClientError', 'refused connections'),
          pushMetric(push, 'ConnectServerError', 'failed connections'),
          pushMetric(push, 'SubscribeClientError', 'refused subscriptions'),
          pushMetric(push, 'SubscribeServerError', 'failed subscriptions'),
        ]),
      ]
    : []),
];

const abandoned = ({ failures }: StreamWorker) =>
  failures.metricApproximateNumberOfMessagesVisible({ period, label: 'abandoned' });

const lag = (worker: StreamWorker, unitMilliseconds: number, unit: string) =>
  new MathExpression({
    expression: `milliseconds / ${unitMilliseconds}`,
    usingMetrics: {
      milliseconds: worker.metric('IteratorAge', { period, statistic: Stats.MAXIMUM }),
    },
    period,
    label: `worker lag, ${unit}`,
  });

/** Size of a graph, which is a third of a row wide. */
const size = { width: 8, height: 6 };

const lines = (title: string, left: IMetric[]) =>
  new GraphWidget({ title, left, ...size, leftYAxis: { min: 0, showUnits: false } });

/** Creates a stacked graph, which also shows the total. */
const stack = (title: string, left: IMetric[]) =>
  new GraphWidget({
    title,
    left,
    stacked: true,
    ...size,
    leftYAxis: { min: 0, showUnits: false },
  });
