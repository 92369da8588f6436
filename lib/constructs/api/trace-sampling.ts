import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import type { Construct } from 'constructs';
import type { Stage } from '../../stages.ts';

/** Maximum length of a rule's name in characters. */
const maxNameLength = 32;

/**
 * Creates the X-Ray sampling rule. It traces `perSecond` requests each second and the fraction
 * `share` of the other requests. By default, it traces all requests. The gateway decides which
 * requests to trace, and functions follow its decision.
 */
export function createSamplingRule(
  scope: Construct,
  { apiName, stageName, stage }: { apiName: string; stageName: string; stage: Stage },
): void {
  const { perSecond, share } = stage.traces ?? { perSecond: 1, share: 1 };
  new CfnSamplingRule(scope, 'TraceSampling', {
    samplingRule: {
      ruleName: apiName.slice(0, maxNameLength),
      // Takes precedence over the account's default rule, whose priority is 10,000. The rules of
      // other stages do not match this service.
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
