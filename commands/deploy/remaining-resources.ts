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

/** Returns the tables that `npm run restore` created for a stage, identified by their names. */
export async function findRestoredTables(
  client: DynamoDBClient,
  stackName: string,
): Promise<string[]> {
  const found: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) {
    found.push(...TableNames.filter((name) => isRestored(stackName, name)));
  }
  return found;
}

const isRestored = (stackName: string, table: string) =>
  table.startsWith(`${stackName}-restored-`) &&
  /^\d{8}T\d{6}Z$/.test(table.slice(`${stackName}-restored-`.length));

/** Deletes a table. Ignores tables that are already deleted. */
export async function deleteTable(client: DynamoDBClient, TableName: string): Promise<void> {
  try {
    await client.send(new DeleteTableCommand({ TableName }));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}

/** Reasons why a resource remains after its stack is deleted, by resource type. */
const remainingReasons: Record<string, string> = {
  'AWS::IAM::Role':
    'API Gateway may use this role for the logs of all APIs in the account and region. The role costs nothing. Delete it when `aws apigateway get-account` shows another role',
};

/**
 * Resource types that need no manual deletion: AWS deletes versions with their function, and the
 * `Account` resource is only a setting of API Gateway.
 */
const deletedWithParent = ['AWS::Lambda::Version', 'AWS::ApiGateway::Account'];

/** Returns the resources that remain after the deletion of a stack, one line each. */
export async function listRemainingResources(
  client: CloudFormationClient,
  stackId: string,
): Promise<string[]> {
  const lines: string[] = [];
  const pages = paginateListStackResources({ client }, { StackName: stackId });
  for await (const { StackResourceSummaries = [] } of pages) {
    for (const resource of StackResourceSummaries) {
      const { ResourceType = '', PhysicalResourceId = '', ResourceStatus } = resource;
      if (ResourceStatus === 'DELETE_COMPLETE' || deletedWithParent.includes(ResourceType))
        continue;
      const reason =
        remainingReasons[ResourceType] ?? 'delete it manually, because it may incur costs';
      lines.push(`Remaining: ${ResourceType} ${PhysicalResourceId}: ${reason}.`);
    }
  }
  return lines;
}
