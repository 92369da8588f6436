import * as v from 'valibot';
import type { Template } from '../assembly/template.ts';

/** What of a synthesized stack costs by the month, or for each request. */
export interface StackFacts {
  /** An alarm of a formula counts once for each metric in it. */
  alarms: number;
  compositeAlarms: number;
  dashboards: number;
  webAcls: number;
  wafRules: number;
  /** Of the pool of the stack's own that people sign in with, its feature plan. */
  userPoolPlan: UserPoolPlan | undefined;
  hasRecovery: boolean;
  /** Which requests are traced: so many of each second, and a share of the others. */
  traces: { perSecond: number; share: number } | undefined;
  /** Metrics that mappings of streams send, besides those of log lines. */
  mappingMetrics: number;
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
    userPoolPlan: planOf(ofType('AWS::Cognito::UserPool')[0]),
    hasRecovery: says('AWS::DynamoDB::GlobalTable', /"PointInTimeRecoveryEnabled":true/),
    traces: says('AWS::ApiGateway::Stage', /"TracingEnabled":true/)
      ? samplingOf(ofType('AWS::XRay::SamplingRule')[0])
      : undefined,
    mappingMetrics:
      ofType('AWS::Lambda::EventSourceMapping').filter((one) => 'MetricsConfig' in one).length *
      metricsOfMapping,
    logRetentionDays: Math.max(0, ...retentions),
  };
}

/** PolledEventCount, FilteredOutEventCount, InvokedEventCount, and those of events that failed, were dropped or sent on. */
const metricsOfMapping = 6;

const plans = ['LITE', 'ESSENTIALS', 'PLUS'] as const;
export type UserPoolPlan = (typeof plans)[number];

/** A pool that does not say is of the plan that AWS gives it then. */
const planOf = (pool: Record<string, unknown> | undefined): UserPoolPlan | undefined =>
  pool && (plans.find((plan) => plan === pool.UserPoolTier) ?? 'ESSENTIALS');

const Sampling = v.object({
  SamplingRule: v.object({ ReservoirSize: v.number(), FixedRate: v.number() }),
});

/** Without a rule it is what X-Ray does by itself. */
const samplingOf = (rule: Record<string, unknown> | undefined) => {
  if (!rule) return { perSecond: 1, share: 0.05 };
  const { ReservoirSize, FixedRate } = v.parse(Sampling, rule).SamplingRule;
  return { perSecond: ReservoirSize, share: FixedRate };
};

const metricsIn = ({ Metrics }: Record<string, unknown>) =>
  Array.isArray(Metrics) ? Metrics.filter((one) => 'MetricStat' in Object(one)).length : 1;
