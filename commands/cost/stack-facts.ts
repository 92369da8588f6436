import * as v from 'valibot';
import type { Template } from '../../lib/synthesis/template.ts';
import type { PriceName, Quantities } from './prices.ts';

/** The parts of a synthesized stack that are billed monthly or per request. */
export interface StackFacts {
  /** Monthly quantities that do not depend on traffic. */
  monthly: Quantities;
  hasRecovery: boolean;
  hasEvents: boolean;
  hasBus: boolean;
  hasWebhooks: boolean;
  hasReadReceipts: boolean;
  hasAttachments: boolean;
  hasScans: boolean;
  /** Price of an active user, by the plan of the stack's user pool; undefined without a pool. */
  users: PriceName | undefined;
  /** Traced requests: a number per second, and a share of the rest; undefined if tracing is off. */
  traces: { perSecond: number; share: number } | undefined;
}

/**
 * Number of custom metrics per event source mapping: polled, filtered, invoked, failed, dropped and
 * redirected events.
 */
const metricsOfMapping = 6;

export function readStackFacts({ Resources }: Pick<Template, 'Resources'>): StackFacts {
  const getByType = (type: string) =>
    Object.values(Resources).flatMap((one) => (one.Type === type ? [one.Properties] : []));
  const hasProperty = (type: string, property: RegExp) =>
    getByType(type).some((properties) => property.test(JSON.stringify(properties)));
  const sum = (type: string, count: (properties: Record<string, unknown>) => number) =>
    getByType(type).reduce((total, properties) => total + count(properties), 0);
  return {
    monthly: {
      // AWS bills an alarm on a metric expression once per metric.
      alarms: sum('AWS::CloudWatch::Alarm', ({ Metrics }) =>
        Array.isArray(Metrics) ? Metrics.filter((one) => 'MetricStat' in Object(one)).length : 1,
      ),
      dashboards: sum('AWS::CloudWatch::Dashboard', () => 1),
      keys: sum('AWS::KMS::Key', () => 1),
      webAcls: sum('AWS::WAFv2::WebACL', () => 1),
      wafRules: sum('AWS::WAFv2::WebACL', ({ Rules }) => (Array.isArray(Rules) ? Rules.length : 0)),
      customMetrics: sum('AWS::Lambda::EventSourceMapping', (mapping) =>
        'MetricsConfig' in mapping ? metricsOfMapping : 0,
      ),
    },
    users: getUserPrice(getByType('AWS::Cognito::UserPool')[0]),
    hasEvents: getByType('AWS::AppSync::Api').length > 0,
    hasBus: getByType('AWS::Events::EventBus').length > 0,
    hasWebhooks: hasProperty('AWS::Lambda::Function', /WEBHOOK_QUEUE_URL/),
    hasReadReceipts: hasProperty('AWS::Lambda::Function', /"Description":"readers\//),
    hasAttachments: hasProperty('AWS::Lambda::Function', /"Description":"attachments\//),
    hasScans: getByType('AWS::GuardDuty::MalwareProtectionPlan').length > 0,
    hasRecovery: hasProperty('AWS::DynamoDB::GlobalTable', /"PointInTimeRecoveryEnabled":true/),
    traces: hasProperty('AWS::ApiGateway::Stage', /"TracingEnabled":true/)
      ? readSampling(getByType('AWS::XRay::SamplingRule')[0])
      : undefined,
  };
}

/** Returns the price of the pool's plan. AWS assigns Essentials to a pool without a plan. */
const getUserPrice = (pool: Record<string, unknown> | undefined): PriceName | undefined =>
  pool &&
  (pool.UserPoolTier === 'LITE'
    ? 'activeUsersLite'
    : pool.UserPoolTier === 'PLUS'
      ? 'activeUsersPlus'
      : 'activeUsersEssentials');

const Sampling = v.object({
  SamplingRule: v.object({ ReservoirSize: v.number(), FixedRate: v.number() }),
});

/** Returns the rates of the sampling rule, or X-Ray's default rates if there is no rule. */
const readSampling = (rule: Record<string, unknown> | undefined) => {
  if (!rule) return { perSecond: 1, share: 0.05 };
  const { ReservoirSize, FixedRate } = v.parse(Sampling, rule).SamplingRule;
  return { perSecond: ReservoirSize, share: FixedRate };
};
