import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { messageOf, Problem } from '../local/problem.ts';
import { type BusinessTable, tableNamed } from './business-table.ts';

/** The table of a deployed stage, found and written with the credentials and region that the AWS CLI would use. */
export async function stageTable(stage: string): Promise<BusinessTable> {
  const StackName = `messaging-${stage}`;
  const { Stacks: [stack] = [] } = await new CloudFormationClient()
    .send(new DescribeStacksCommand({ StackName }))
    .catch((error) => {
      throw new Problem(`The stack ${StackName} cannot be found: ${messageOf(error)}`);
    });
  const name = stack?.Outputs?.find(({ OutputKey }) => OutputKey === 'TableName')?.OutputValue;
  if (name) return tableNamed(name);
  throw new Problem(`The stack ${StackName} has no output TableName: deploy it again.`);
}
