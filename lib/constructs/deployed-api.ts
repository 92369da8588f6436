import { type CfnElement, CfnResource, Lazy, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';

/** What API Gateway serves as it was when it was deployed last, whatever it says now. */
export const servedFromDeployment = [
  'AWS::ApiGateway::Authorizer',
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Method',
  'AWS::ApiGateway::Model',
  'AWS::ApiGateway::RequestValidator',
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::RestApi',
];

/**
 * Has every change of what is served make a new deployment. CDK does so for what passes its own constructs, but not for
 * what is overridden afterwards, and an authorizer's settings only where a flag says so.
 */
export function redeployOnChange(api: RestApi): void {
  const { latestDeployment } = api;
  if (!latestDeployment) throw new Error('The API has no deployment.');
  const served = Stack.of(api)
    .node.findAll()
    .filter((one) => CfnResource.isCfnResource(one))
    .filter(({ cfnResourceType }) => servedFromDeployment.includes(cfnResourceType));
  latestDeployment.addToLogicalId(Lazy.any({ produce: () => served.map(asRendered) }));
  for (const one of served) latestDeployment.node.addDependency(one);
}

/** The resource as the template will have it. CDK renders it by a method that its declarations leave out. */
function asRendered(resource: CfnElement): unknown {
  if (!('_toCloudFormation' in resource) || typeof resource._toCloudFormation !== 'function') {
    throw new Error(`${resource.node.path} cannot be rendered.`);
  }
  return resource._toCloudFormation();
}
