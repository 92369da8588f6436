import { CfnOutput } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { type AlarmRow, raise } from './alarm-row.ts';
import { failingAlarms } from './failing-alarms.ts';
import { metricsNamespace } from './messaging-function.ts';
import { otherAlarms, requestAlarms } from './monitoring-alarms.ts';
import { showDashboard } from './monitoring-dashboard.ts';
import { logMetrics, type Watched } from './monitoring-metrics.ts';
import { AlarmTopic } from './monitoring-topic.ts';

export interface MonitoringProps extends Watched {
  stage: Stage;
  /** Alarms that only this stage has. */
  moreAlarms: Record<string, AlarmRow>;
}

/** Alarms, their topics and the dashboard. docs/runbook.md has an entry for each alarm. */
export class Monitoring extends Construct {
  /** Alarms that roll back new code; empty in stages without gradual deployments. */
  readonly failingAlarms: Alarm[];

  constructor(scope: Construct, id: string, { stage, moreAlarms, ...watched }: MonitoringProps) {
    super(scope, id);
    const topics = {
      page: new AlarmTopic(this, 'PageTopic', 'page', stage),
      ticket: new AlarmTopic(this, 'TicketTopic', 'ticket', stage),
    };
    const logMetric = logMetrics(metricsNamespace(this));
    const alarms = raise(this, topics, {
      ...requestAlarms(watched, logMetric),
      ...otherAlarms(watched, logMetric),
      ...moreAlarms,
    });
    this.failingAlarms = stage.deploysGradually
      ? raise(this, topics, failingAlarms(watched, logMetric))
      : [];
    showDashboard(this, watched, logMetric, [...alarms, ...this.failingAlarms]);
    new CfnOutput(scope, 'PageTopic', {
      value: topics.page.topicArn,
      description: 'Alarms that notify the person on call: subscribe here',
    });
    new CfnOutput(scope, 'TicketTopic', {
      value: topics.ticket.topicArn,
      description: 'Alarms that can wait until the morning',
    });
  }
}
