import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';

/** A rule's name has no more characters. */
const longestName = 32;

/**
 * Which requests are traced: so many of each second, and a share of the others; all of them unless the stage says. The
 * gateway decides, and the functions that it calls go by that. Without a rule of the stack's own it would be that of the
 * account, which is whatever somebody has made of it.
 */
export function sampleTraces(
  scope: Construct,
  { apiName, stageName, stage }: { apiName: string; stageName: string; stage: Stage },
): void {
  const { perSecond, share } = stage.traces ?? { perSecond: 1, share: 1 };
  new CfnSamplingRule(scope, 'TraceSampling', {
    samplingRule: {
      ruleName: apiName.slice(0, longestName),
      // Before the account's default, which is 10,000. No other rule is for this service.
      priority: 1000,
      reservoirSize: perSecond,
      fixedRate: share,
      serviceType: 'AWS::ApiGateway::Stage',
      serviceName: `${apiName}/${stageName}`,
      host: '*',
      httpMethod: '*',
      urlPath: '*',
      resourceArn: '*',
      version: 1,
    },
  });
}
