import { CfnMethod, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { commonHeaders } from './error-template.ts';

/**
 * What CDK's preflights lack: the headers that every reply has, and an answer to one with a body of a type that has no
 * template. Its mock would be handed the body, and fail with a 500; now it is a 415 in our shape.
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
