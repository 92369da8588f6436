import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Webhooks } from '../functions/webhooks.ts';
import type { AlarmDefinition } from './alarm-definition.ts';
import { type LogMetric, period, queueDepth } from './cloudwatch-metrics.ts';

/** Returns the alarms for webhooks. */
export const webhookAlarms = (
  webhooks: Webhooks,
  logMetric: LogMetric,
): Record<string, AlarmDefinition> => ({
  WebhooksFailing: {
    severity: 'ticket',
    symptom: 'Deliveries to webhook endpoints fail',
    runbookEntry: 'webhooks-failing',
    // A few attempts fail whenever an endpoint is deployed. Failures for 45 minutes indicate a
    // fault.
    metric: logMetric('webhooks', 'failed_attempts', { statistic: Stats.SUM }),
    threshold: 10,
    breachingPeriods: 9,
  },
  WebhooksBehind: {
    severity: 'ticket',
    symptom: 'Webhook delivery lag above 10 minutes',
    runbookEntry: 'webhooks-behind',
    // Measures from the time when an attempt is due, so the pause before a retry does not count.
    metric: logMetric('webhooks', 'oldest_seconds', { statistic: Stats.MAXIMUM }),
    threshold: Duration.minutes(10).toSeconds(),
    breachingPeriods: 3,
  },
  WebhookErrors: {
    severity: 'ticket',
    symptom: 'The webhook sender fails or times out',
    runbookEntry: 'webhook-errors',
    // Counts timeouts, crashes, and messages that SQS redelivers.
    metric: new MathExpression({
      expression: 'FILL(errors, 0) + FILL(faults, 0)',
      usingMetrics: {
        errors: webhooks.metricErrors({ period, statistic: Stats.SUM }),
        faults: logMetric('webhooks', 'fault', { statistic: Stats.SUM }),
      },
      period,
    }),
    threshold: 0,
    breachingPeriods: 3,
  },
  WebhookDeadLetters: {
    severity: 'ticket',
    symptom: 'Webhook endpoints have missed events',
    runbookEntry: 'webhook-dead-letters',
    // The endpoint did not accept these events for three days, or the operator disabled it.
    metric: queueDepth(webhooks.deadLetters),
    threshold: 0,
  },
});
