import {
  type CloudFormationClient,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import {
  DeleteTableCommand,
  type DynamoDBClient,
  paginateListTables,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';

/** The tables that `npm run restore` has made of a stage's, by the name that it gives them. */
export async function restoredTables(client: DynamoDBClient, stackName: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) {
    found.push(...TableNames.filter((name) => isRestored(stackName, name)));
  }
  return found;
}

const isRestored = (stackName: string, table: string) =>
  table.startsWith(`${stackName}-restored-`) &&
  /^\d{8}T\d{6}Z$/.test(table.slice(`${stackName}-restored-`.length));

/** One that is gone already is as well. */
export async function removeTable(client: DynamoDBClient, TableName: string): Promise<void> {
  try {
    await client.send(new DeleteTableCommand({ TableName }));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}

/** Why something stays when its stack goes. */
const reasons: Record<string, string> = {
  'AWS::IAM::Role':
    'API Gateway of the whole account may log by it; costs nothing. Remove it once `aws apigateway get-account` names another',
};

/** They go with what they are of. */
const goWithTheirs = ['AWS::Lambda::Version', 'AWS::ApiGateway::Account'];

/** What CloudFormation has left behind of a stack that is gone, a line each. */
export async function leftovers(client: CloudFormationClient, stackId: string): Promise<string[]> {
  const left: string[] = [];
  const pages = paginateListStackResources({ client }, { StackName: stackId });
  for await (const { StackResourceSummaries = [] } of pages) {
    for (const one of StackResourceSummaries) {
      const { ResourceType = '', PhysicalResourceId = '', ResourceStatus } = one;
      if (ResourceStatus === 'DELETE_COMPLETE' || goWithTheirs.includes(ResourceType)) continue;
      const why = reasons[ResourceType] ?? 'remove it by hand, as it may cost something';
      left.push(`It left behind ${ResourceType} ${PhysicalResourceId}: ${why}.`);
    }
  }
  return left;
}
