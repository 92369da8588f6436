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
 * `page`: requests fail now, so it notifies a person on call. `ticket`: it can wait until the
 * morning.
 */
export type Severity = 'page' | 'ticket';

export interface AlarmRow {
  severity: Severity;
  /** Symptom, as shown to the operator; `page` is its entry in the runbook. */
  says: string;
  page: string;
  metric: IMetric;
  /** The alarm fires if the metric is above this value … */
  above: number;
  /** … in this many periods … */
  periods?: number;
  /** … of this many consecutive ones; the same number by default. */
  outOf?: number;
  /**
   * Treats missing data as breaching. By default missing data is fine, because idle is not an
   * error.
   */
  silenceIsWrong?: boolean;
}

/**
 * Creates the alarms. The topic of the severity is notified when an alarm fires and when it
 * resolves.
 */
export function raise(
  scope: Construct,
  topics: Readonly<Record<Severity, ITopic>>,
  rows: Readonly<Record<string, AlarmRow>>,
): Alarm[] {
  return Object.entries(rows).map(([id, row]) => {
    const { severity, says, page, metric, above, periods = 1, outOf = periods } = row;
    const alarm = new Alarm(scope, id, {
      alarmDescription: `${severity}: ${says}: docs/runbook.md#${page}`,
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: outOf,
      datapointsToAlarm: periods,
      treatMissingData: row.silenceIsWrong
        ? TreatMissingData.BREACHING
        : TreatMissingData.NOT_BREACHING,
    });
    const action = new SnsAction(topics[severity]);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    return alarm;
  });
}
