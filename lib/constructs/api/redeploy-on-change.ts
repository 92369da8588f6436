import { type CfnElement, CfnResource, Lazy, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';

/** Types of resources whose changes take effect only with a new API Gateway deployment. */
export const deployedResourceTypes = [
  'AWS::ApiGateway::Authorizer',
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Method',
  'AWS::ApiGateway::Model',
  'AWS::ApiGateway::RequestValidator',
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::RestApi',
];

/**
 * Creates a new deployment when a resource of `deployedResourceTypes` changes. By default, CDK
 * ignores later overrides of a construct's properties. Without a feature flag, CDK also ignores
 * changes to authorizers.
 */
export function redeployOnChange(api: RestApi): void {
  const { latestDeployment } = api;
  if (!latestDeployment) throw new Error('The API has no deployment.');
  const deployedResources = Stack.of(api)
    .node.findAll()
    .filter((one) => CfnResource.isCfnResource(one))
    .filter(({ cfnResourceType }) => deployedResourceTypes.includes(cfnResourceType));
  latestDeployment.addToLogicalId(
    Lazy.any({ produce: () => deployedResources.map(renderResource) }),
  );
  for (const one of deployedResources) latestDeployment.node.addDependency(one);
}

/** Renders the resource as the template contains it. Uses a method that CDK's types omit. */
function renderResource(resource: CfnElement): unknown {
  if (!('_toCloudFormation' in resource) || typeof resource._toCloudFormation !== 'function') {
    throw new Error(`${resource.node.path} cannot be rendered.`);
  }
  return resource._toCloudFormation();
}
