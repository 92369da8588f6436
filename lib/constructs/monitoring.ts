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
  /** Of what only this stage has. */
  moreAlarms: Record<string, AlarmRow>;
}

/** Who is told when something goes wrong, of what, and a page to look at. docs/runbook.md has an entry for each alarm. */
export class Monitoring extends Construct {
  /** By these new code is taken back; none where it serves at once. */
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
      description: 'What is told of alarms that cannot wait: subscribe whoever is on call',
    });
    new CfnOutput(scope, 'TicketTopic', {
      value: topics.ticket.topicArn,
      description: 'What is told of alarms that can wait for the morning',
    });
  }
}
