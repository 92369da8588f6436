import {
  type CloudFormationClient,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';

/** A function of a stack, and the alias that receives its invocations. */
export interface DeployedFunction {
  /** Logical id in the template, without CDK's hash. */
  id: string;
  functionName: string;
  alias: string;
  /** The function's version in the stack; undefined if the stack has none. */
  stackVersion: number | undefined;
}

export interface DeployedFunctions {
  functions: DeployedFunction[];
  /** The CodeDeploy application of gradual deployments; undefined if deployments are immediate. */
  application: string | undefined;
  groups: string[];
}

/** Returns the functions of a stack that have an alias, and the stack's CodeDeploy resources. */
export async function readDeployedFunctions(
  client: CloudFormationClient,
  StackName: string,
): Promise<DeployedFunctions> {
  const resources: { type: string; logical: string; physical: string }[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName })) {
    for (const resource of page.StackResourceSummaries ?? []) {
      const { ResourceType = '', LogicalResourceId = '', PhysicalResourceId = '' } = resource;
      if (resource.ResourceStatus === 'DELETE_COMPLETE' || PhysicalResourceId === '') continue;
      resources.push({
        type: ResourceType,
        logical: LogicalResourceId,
        physical: PhysicalResourceId,
      });
    }
  }
  const getByType = (type: string) => resources.filter((one) => one.type === type);
  const ids = new Map(
    getByType('AWS::Lambda::Function').map(({ logical, physical }) => [
      physical,
      logical.replace(/[0-9A-F]{8}$/, ''),
    ]),
  );
  const versions = new Map<string, number>();
  for (const { physical } of getByType('AWS::Lambda::Version')) {
    const { functionName, qualifier } = parseFunctionArn(physical);
    if (!/^[1-9]\d*$/.test(qualifier)) continue;
    // During the cleanup of an update, the stack contains two versions. Use the newer version.
    versions.set(functionName, Math.max(Number(qualifier), versions.get(functionName) ?? 0));
  }
  const functions = getByType('AWS::Lambda::Alias').map(({ physical }) => {
    const { functionName, qualifier } = parseFunctionArn(physical);
    return {
      id: ids.get(functionName) ?? functionName,
      functionName,
      alias: qualifier,
      stackVersion: versions.get(functionName),
    };
  });
  return {
    functions: functions.toSorted((a, b) => a.id.localeCompare(b.id)),
    application: getByType('AWS::CodeDeploy::Application')[0]?.physical,
    // The physical id is the group's name, or `application|group`.
    groups: getByType('AWS::CodeDeploy::DeploymentGroup').map(
      ({ physical }) => physical.split('|').at(-1) ?? physical,
    ),
  };
}

/** Parses `arn:aws:lambda:<region>:<account>:function:<name>:<alias or version>`. */
function parseFunctionArn(arn: string): { functionName: string; qualifier: string } {
  const [functionName = '', qualifier = ''] = arn.split(':').slice(6);
  return { functionName, qualifier };
}
