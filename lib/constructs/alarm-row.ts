import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** Somebody has to get up: requests fail now. Or it can wait for the morning, as nobody notices yet. */
export type Severity = 'page' | 'ticket';

export interface AlarmRow {
  severity: Severity;
  /** What is wrong, as a person is told it; `page` is its entry in the runbook. */
  says: string;
  page: string;
  metric: IMetric;
  /** Raised when the metric is above it … */
  above: number;
  /** … in so many periods … */
  periods?: number;
  /** … of so many one after the other; of all of these unless given. */
  outOf?: number;
  /** Nothing is what should not be: mostly when nobody asks for anything, nothing is wrong. */
  silenceIsWrong?: boolean;
}

/** Makes the alarms; the topic of its severity is told when one is raised and when it is over. */
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
