import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/**
 * `page` notifies the person on call, because users are affected now. `ticket` can wait until
 * working hours.
 */
export type Severity = 'page' | 'ticket';

export interface AlarmDefinition {
  severity: Severity;
  /** Symptom shown to the operator. */
  symptom: string;
  /** Anchor of the symptom's entry in the runbook. */
  runbookEntry: string;
  metric: IMetric;
  /**
   * The alarm fires if the metric exceeds this value in `breachingPeriods` of the last
   * `evaluatedPeriods` periods.
   */
  threshold: number;
  /** Default: 1. */
  breachingPeriods?: number;
  /** Default: `breachingPeriods`. */
  evaluatedPeriods?: number;
  /** Default: false, because an idle service sends no data. */
  missingDataIsBreaching?: boolean;
}

/**
 * Creates the alarms. Each notifies the topic of its severity when it fires and when it resolves.
 */
export function createAlarms(
  scope: Construct,
  topics: Readonly<Record<Severity, ITopic>>,
  rows: Readonly<Record<string, AlarmDefinition>>,
): Alarm[] {
  return Object.entries(rows).map(([id, row]) => {
    const {
      severity,
      symptom,
      runbookEntry,
      metric,
      threshold,
      breachingPeriods = 1,
      evaluatedPeriods = breachingPeriods,
    } = row;
    const alarm = new Alarm(scope, id, {
      alarmDescription: `${severity}: ${symptom}: docs/runbook.md#${runbookEntry}`,
      metric,
      threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: evaluatedPeriods,
      datapointsToAlarm: breachingPeriods,
      treatMissingData: row.missingDataIsBreaching
        ? TreatMissingData.BREACHING
        : TreatMissingData.NOT_BREACHING,
    });
    const action = new SnsAction(topics[severity]);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    return alarm;
  });
}
