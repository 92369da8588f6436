import { CfnOutput } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { metricsNamespace } from './messaging-function.ts';
import { otherAlarms, raise, requestAlarms } from './monitoring-alarms.ts';
import { showDashboard } from './monitoring-dashboard.ts';
import { logMetrics, type Watched } from './monitoring-metrics.ts';
import { AlarmTopic } from './monitoring-topic.ts';

export interface MonitoringProps extends Watched {
  stage: Stage;
}

/** Who is told when something goes wrong, of what, and a page to look at. docs/runbook.md has an entry for each alarm. */
export class Monitoring extends Construct {
  /** They tell that requests fare badly: the alarms by which new code is taken back. */
  readonly requestAlarms: Alarm[];

  constructor(scope: Construct, id: string, { stage, ...watched }: MonitoringProps) {
    super(scope, id);
    const topic = new AlarmTopic(this, 'AlarmTopic', stage);
    const logMetric = logMetrics(metricsNamespace(this));
    this.requestAlarms = raise(this, topic, requestAlarms(watched));
    const others = raise(this, topic, otherAlarms(watched, logMetric));
    showDashboard(this, watched, logMetric, [...this.requestAlarms, ...others]);
    new CfnOutput(scope, 'AlarmTopic', {
      value: topic.topicArn,
      description: 'What is told of alarms: subscribe to it',
    });
  }
}
