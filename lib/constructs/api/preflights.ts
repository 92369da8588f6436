import { CfnMethod, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { commonHeaders } from './error-template.ts';

/**
 * Adds the common headers to the replies of CDK's preflight methods. Makes the gateway return 415
 * for a body whose type has no template. Otherwise, the mock integration would receive the body and
 * fail with 500.
 */
export function completePreflights({ methods }: RestApi): void {
  for (const { httpMethod, node } of methods) {
    if (httpMethod !== 'OPTIONS' || !(node.defaultChild instanceof CfnMethod)) continue;
    const preflight = node.defaultChild;
    preflight.addPropertyOverride('Integration.PassthroughBehavior', 'NEVER');
    for (const [name, value] of Object.entries(commonHeaders)) {
      const parameter = `ResponseParameters.method\\.response\\.header\\.${name}`;
      preflight.addPropertyOverride(`Integration.IntegrationResponses.0.${parameter}`, value);
      preflight.addPropertyOverride(`MethodResponses.0.${parameter}`, true);
    }
  }
}
