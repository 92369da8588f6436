import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmRow } from './alarm-row.ts';
import { liveAlias, type MessagingFunction } from './messaging-function.ts';
import { gatewayMetrics, type LogMetric, unknownKeys, type Watched } from './monitoring-metrics.ts';

/** As short as metrics are: new code is at work for a quarter of an hour until it counts as good (gradual-deploys.ts). */
const period = Duration.minutes(1);

/**
 * Two minutes of five in which more than one call in a hundred failed: so that what is asked for a few times a minute
 * counts as much as what everybody asks for, and one failure in a quiet minute, as AWS has every day, does not.
 */
const patience = { above: 1, periods: 2, outOf: 5 };

/** The alarms by which new code is taken back: one for each function, and one for what no function hears of. */
export function failingAlarms(
  { api, authorizer, functions, reference, purge, live, push }: Watched,
  logMetric: LogMetric,
): Record<string, AlarmRow> {
  const { requests, serverErrors } = gatewayMetrics(api, period);
  const named: [MessagingFunction, operation: string][] = [
    [authorizer, 'authorizer'],
    [purge, 'purge'],
    ...(live ? [[live, 'live'] satisfies [MessagingFunction, string]] : []),
    ...(push
      ? [[push.authorizer, 'channel-authorizer'] satisfies [MessagingFunction, string]]
      : []),
    ...(reference ? [[reference, 'docs'] satisfies [MessagingFunction, string]] : []),
    ...functions.map((one): [MessagingFunction, string] => [one, one.operation.id]),
  ];
  return {
    ...Object.fromEntries(
      named.map(([one, operation]) => [
        `Failing${one.node.id}`,
        {
          severity: 'ticket',
          says: `More than 1% of the calls of ${operation} fail`,
          page: 'failing',
          metric: failedShare({
            // It says so in its line; or it was ended before it could, and Lambda counts that.
            failed: [
              logMetric(operation, 'fault', { statistic: Stats.SUM }).with({ period }),
              ofLive(one, 'Errors'),
            ],
            calls: ofLive(one, 'Invocations'),
          }),
          ...patience,
        } satisfies AlarmRow,
      ]),
    ),
    FailingGateway: {
      severity: 'ticket',
      says: 'More than 1% of the requests fail, in a function or before one',
      page: 'failing',
      metric: failedShare({
        failed: [serverErrors],
        // Of these nothing fails, and anybody can make them up.
        notCounted: unknownKeys(logMetric).with({ period }),
        calls: requests,
      }),
      ...patience,
    },
  };
}

/** Of the version or versions that serve. */
const ofLive = ({ functionName }: MessagingFunction, metricName: string) =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: { FunctionName: functionName, Resource: `${functionName}:${liveAlias}` },
    statistic: Stats.SUM,
    period,
  });

/** In percent. Where nothing failed nothing is sent, and of nothing there is no share. */
function failedShare({ failed, notCounted, calls }: Shares): IMetric {
  const named = failed.map((metric, n) => [`failed${n}`, metric] as const);
  const sum = named.map(([name]) => `FILL(${name}, 0)`).join(' + ');
  const counted = notCounted ? `${sum} - FILL(notCounted, 0)` : sum;
  return new MathExpression({
    expression: `IF(FILL(calls, 0) > 0, 100 * (${counted}) / calls, 0)`,
    usingMetrics: { ...Object.fromEntries(named), ...(notCounted && { notCounted }), calls },
    period,
    label: 'failed, %',
  });
}

interface Shares {
  failed: Metric[];
  notCounted?: Metric;
  calls: Metric;
}
