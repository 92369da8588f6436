import type { Template } from '../local/template.ts';

/** What of a synthesized stack costs by the month, or for each request. */
export interface StackFacts {
  /** An alarm of a formula counts once for each metric in it. */
  alarms: number;
  compositeAlarms: number;
  dashboards: number;
  webAcls: number;
  wafRules: number;
  /** People sign in with a pool of the stack's own. */
  hasUserPool: boolean;
  hasRecovery: boolean;
  isTraced: boolean;
  /** Longest time for which a log is kept. */
  logRetentionDays: number;
}

export function stackFacts({ Resources }: Pick<Template, 'Resources'>): StackFacts {
  const ofType = (type: string) =>
    Object.values(Resources).flatMap((one) => (one.Type === type ? [one.Properties] : []));
  const says = (type: string, property: RegExp) =>
    ofType(type).some((properties) => property.test(JSON.stringify(properties)));
  const retentions = ofType('AWS::Logs::LogGroup').map((one) => Number(one.RetentionInDays ?? 0));
  return {
    alarms: ofType('AWS::CloudWatch::Alarm').reduce((sum, alarm) => sum + metricsIn(alarm), 0),
    compositeAlarms: ofType('AWS::CloudWatch::CompositeAlarm').length,
    dashboards: ofType('AWS::CloudWatch::Dashboard').length,
    webAcls: ofType('AWS::WAFv2::WebACL').length,
    wafRules: ofType('AWS::WAFv2::WebACL').reduce(
      (sum, { Rules }) => sum + (Array.isArray(Rules) ? Rules.length : 0),
      0,
    ),
    hasUserPool: ofType('AWS::Cognito::UserPool').length > 0,
    hasRecovery: says('AWS::DynamoDB::GlobalTable', /"PointInTimeRecoveryEnabled":true/),
    isTraced:
      says('AWS::ApiGateway::Stage', /"TracingEnabled":true/) ||
      says('AWS::Lambda::Function', /"Mode":"Active"/),
    logRetentionDays: Math.max(0, ...retentions),
  };
}

const metricsIn = ({ Metrics }: Record<string, unknown>) =>
  Array.isArray(Metrics) ? Metrics.filter((one) => 'MetricStat' in Object(one)).length : 1;
