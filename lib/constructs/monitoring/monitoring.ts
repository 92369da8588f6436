import { CfnOutput } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Stage } from '../../stages.ts';
import { metricsNamespace } from '../messaging-function.ts';
import { type AlarmDefinition, createAlarms } from './alarm-definition.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { createLogMetric, type MonitoredResources } from './cloudwatch-metrics.ts';
import { createDashboard } from './dashboard.ts';
import { rollbackAlarmDefinitions } from './rollback-alarms.ts';
import { backendAlarms, requestAlarms } from './service-alarms.ts';

export interface MonitoringProps extends MonitoredResources {
  stage: Stage;
  /** Alarms of optional resources, such as the probe's. */
  additionalAlarms: Record<string, AlarmDefinition>;
}

/** Alarms, their topics and the dashboard. docs/runbook.md has an entry for each alarm. */
export class Monitoring extends Construct {
  /** Alarms that roll back new code; empty in stages without gradual deployments. */
  readonly rollbackAlarms: Alarm[];

  constructor(
    scope: Construct,
    id: string,
    { stage, additionalAlarms, ...watched }: MonitoringProps,
  ) {
    super(scope, id);
    const topics = {
      page: new AlarmTopic(this, 'PageTopic', 'page', stage),
      ticket: new AlarmTopic(this, 'TicketTopic', 'ticket', stage),
    };
    const logMetric = createLogMetric(metricsNamespace(this));
    const alarms = createAlarms(this, topics, {
      ...requestAlarms(watched, logMetric),
      ...backendAlarms(watched, logMetric),
      ...additionalAlarms,
    });
    this.rollbackAlarms = stage.deploysGradually
      ? createAlarms(this, topics, rollbackAlarmDefinitions(watched, logMetric))
      : [];
    createDashboard(this, watched, logMetric, [...alarms, ...this.rollbackAlarms]);
    new CfnOutput(scope, 'PageTopic', {
      value: topics.page.topicArn,
      description: 'Alarms for the person on call, who subscribes to this topic',
    });
    new CfnOutput(scope, 'TicketTopic', {
      value: topics.ticket.topicArn,
      description: 'Alarms that can wait until the morning',
    });
  }
}
