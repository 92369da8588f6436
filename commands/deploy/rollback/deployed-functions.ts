import {
  type CloudFormationClient,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';

/** A function of a stack, by the alias that serves. */
export interface DeployedFunction {
  /** What the stack calls the function, without the hash. */
  id: string;
  functionName: string;
  alias: string;
  /** The version that the stack says should serve; undefined if the stack has lost it. */
  stackVersion: number | undefined;
}

export interface DeployedFunctions {
  functions: DeployedFunction[];
  /** CodeDeploy's name of the application that lets new code in; undefined where code serves at once. */
  application: string | undefined;
  /** Its deployment groups. */
  groups: string[];
}

/** All functions of a stack, and what lets new code of them in. */
export async function deployedFunctions(
  client: CloudFormationClient,
  StackName: string,
): Promise<DeployedFunctions> {
  const resources: { type: string; logical: string; physical: string }[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName })) {
    for (const one of page.StackResourceSummaries ?? []) {
      const { ResourceType = '', LogicalResourceId = '', PhysicalResourceId = '' } = one;
      if (one.ResourceStatus === 'DELETE_COMPLETE' || PhysicalResourceId === '') continue;
      resources.push({
        type: ResourceType,
        logical: LogicalResourceId,
        physical: PhysicalResourceId,
      });
    }
  }
  const ofType = (type: string) => resources.filter((one) => one.type === type);
  const ids = new Map(
    ofType('AWS::Lambda::Function').map(({ logical, physical }) => [
      physical,
      logical.replace(/[0-9A-F]{8}$/, ''),
    ]),
  );
  const versions = new Map<string, number>();
  for (const { physical } of ofType('AWS::Lambda::Version')) {
    const { functionName, qualifier } = partsOf(physical);
    if (!/^[1-9]\d*$/.test(qualifier)) continue;
    // While an update is being cleaned up, the stack has two: the newer one is what it says.
    versions.set(functionName, Math.max(Number(qualifier), versions.get(functionName) ?? 0));
  }
  const functions = ofType('AWS::Lambda::Alias').map(({ physical }) => {
    const { functionName, qualifier } = partsOf(physical);
    return {
      id: ids.get(functionName) ?? functionName,
      functionName,
      alias: qualifier,
      stackVersion: versions.get(functionName),
    };
  });
  return {
    functions: functions.toSorted((a, b) => a.id.localeCompare(b.id)),
    application: ofType('AWS::CodeDeploy::Application')[0]?.physical,
    // CloudFormation puts the application's name before it, or does not.
    groups: ofType('AWS::CodeDeploy::DeploymentGroup').map(
      ({ physical }) => physical.split('|').at(-1) ?? physical,
    ),
  };
}

/** arn:aws:lambda:<region>:<account>:function:<name>:<alias or version> */
function partsOf(arn: string): { functionName: string; qualifier: string } {
  const [functionName = '', qualifier = ''] = arn.split(':').slice(6);
  return { functionName, qualifier };
}
