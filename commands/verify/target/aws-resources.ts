import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import * as v from 'valibot';
import { Problem } from '../../../lib/problem.ts';
import { toStackName } from '../../../lib/stage-names.ts';
import { Template } from '../../../lib/synthesis/template.ts';
import type { DeployedResources } from './deployed-resources.ts';

const FunctionProperties = v.object({
  Description: v.optional(v.string(), ''),
  Role: v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.literal('Arn')]) }),
  LoggingConfig: v.object({ LogGroup: v.object({ Ref: v.string() }) }),
});

/** Reads the resources of a stage with the credentials and region of the AWS CLI. */
export function readAwsResources(stageName: string, tableName: () => string): DeployedResources {
  const StackName = toStackName(stageName);
  const iam = new IAMClient();
  let stackPromise: ReturnType<typeof readStack> | undefined;
  const stack = () => {
    stackPromise ??= readStack(StackName);
    return stackPromise;
  };
  const findFunction = async (description: string) => {
    const { template } = await stack();
    for (const { Type, Properties } of Object.values(template.Resources)) {
      if (Type !== 'AWS::Lambda::Function') continue;
      const read = v.safeParse(FunctionProperties, Properties);
      if (read.success && read.output.Description.startsWith(description)) return read.output;
    }
    throw new Problem(`${StackName} has no function whose description begins with ${description}`);
  };
  const getPhysicalId = async (id: string) => {
    const found = (await stack()).physical.get(id);
    if (!found) throw new Problem(`${StackName} has no ${id}`);
    return found;
  };
  return {
    resources: async (type) => {
      const { template, physical } = await stack();
      return Object.entries(template.Resources).flatMap(([id, { Type }]) =>
        Type === type ? [physical.get(id) ?? ''] : [],
      );
    },
    logGroup: async (description) =>
      getPhysicalId((await findFunction(description)).LoggingConfig.LogGroup.Ref),
    mayQuery: async (description, index, keys) => {
      const { partition, region, account } = await stack();
      const [roleId] = (await findFunction(description)).Role['Fn::GetAtt'];
      const table = `arn:${partition}:dynamodb:${region}:${account}:table/${tableName()}`;
      const leadingKeys = {
        ContextKeyName: 'dynamodb:LeadingKeys',
        ContextKeyType: 'stringList' as const,
        ContextKeyValues: [...keys],
      };
      const { EvaluationResults: [result] = [] } = await iam.send(
        new SimulatePrincipalPolicyCommand({
          PolicySourceArn: `arn:${partition}:iam::${account}:role/${await getPhysicalId(roleId)}`,
          ActionNames: ['dynamodb:Query'],
          ResourceArns: [`${table}/index/${index}`],
          ContextEntries: keys.length > 0 ? [leadingKeys] : [],
        }),
      );
      return result?.EvalDecision === 'allowed';
    },
  };
}

async function readStack(StackName: string) {
  const client = new CloudFormationClient();
  const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
  const [, partition, , region, account] = stack?.StackId?.split(':') ?? [];
  const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName }));
  const template = v.parse(v.pipe(v.string(), v.parseJson(), Template), TemplateBody);
  const physical = new Map<string, string>();
  for await (const page of paginateListStackResources({ client }, { StackName })) {
    for (const { LogicalResourceId = '', PhysicalResourceId = '' } of page.StackResourceSummaries ??
      []) {
      physical.set(LogicalResourceId, PhysicalResourceId);
    }
  }
  return { template, physical, partition, region, account };
}
