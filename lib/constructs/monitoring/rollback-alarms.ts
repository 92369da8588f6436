import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { liveAliasName, type MessagingFunction } from '../messaging-function.ts';
import type { AlarmDefinition } from './alarm-definition.ts';
import {
  filledSum,
  gatewayMetrics,
  getMonitoredFunctions,
  type LogMetric,
  type MonitoredResources,
  unknownKeys,
} from './cloudwatch-metrics.ts';

/**
 * Shortest period of AWS's metrics, because new code is accepted after 15 minutes
 * (gradual-deploys.ts).
 */
const period = Duration.minutes(1);

/**
 * The alarm fires if more than 1% of invocations or requests fail in at least two of the last five
 * minutes. A percentage suits both rarely and frequently invoked functions. Two minutes are
 * required because single failures occur on AWS every day.
 */
const failureThreshold = { threshold: 1, breachingPeriods: 2, evaluatedPeriods: 5 };

/**
 * Returns one alarm per monitored function, and one for all requests, even those that reach no
 * function.
 */
export function rollbackAlarmDefinitions(
  watched: MonitoredResources,
  logMetric: LogMetric,
): Record<string, AlarmDefinition> {
  const { requests, serverErrors } = gatewayMetrics(watched.api, period);
  return {
    ...Object.fromEntries(
      getMonitoredFunctions(watched).map((one) => [
        `Failing${one.node.id}`,
        {
          severity: 'ticket',
          symptom: `More than 1% of invocations of ${one.path} fail`,
          runbookEntry: 'failing',
          metric: failurePercentage({
            // Logged failures, and failures that end the invocation before the function logs.
            failed: [
              ...one.loggedOperations.map((operation) =>
                logMetric(operation, 'fault', { statistic: Stats.SUM }).with({ period }),
              ),
              createLiveMetric(one, 'Errors'),
            ],
            calls: createLiveMetric(one, 'Invocations'),
          }),
          ...failureThreshold,
        } satisfies AlarmDefinition,
      ]),
    ),
    FailingGateway: {
      severity: 'ticket',
      symptom: 'More than 1% of the requests fail, in a function or at the gateway',
      runbookEntry: 'failing',
      metric: failurePercentage({
        failed: [serverErrors],
        // Requests with unknown keys do not count, because they are not failures for users and
        // anyone can send them.
        notCounted: unknownKeys(logMetric).with({ period }),
        calls: requests,
      }),
      ...failureThreshold,
    },
  };
}

/** Returns a Lambda metric of all versions behind the live alias. */
const createLiveMetric = ({ functionName }: MessagingFunction, metricName: string) =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: { FunctionName: functionName, Resource: `${functionName}:${liveAliasName}` },
    statistic: Stats.SUM,
    period,
  });

/**
 * Returns the percentage of failed calls. Counts missing data as 0, because functions publish no
 * `fault` metric without failures, and no metric without calls.
 */
function failurePercentage({ failed, notCounted, calls }: Shares): IMetric {
  const named = failed.map((metric, n) => [`failed${n}`, metric] as const);
  const sum = filledSum(named.map(([id]) => id));
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
