import {
  type Change,
  CloudFormationClient,
  DeleteChangeSetCommand,
  DescribeChangeSetCommand,
  DescribeStacksCommand,
  ListStackResourcesCommand,
  type StackStatus,
} from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { gatewayAccount } from '../../../commands/deploy/gateway-log-role.ts';

export const account = '111122223333';
export const callerArn = `arn:aws:iam::${account}:user/ann`;
const at = 'account 111122223333, region eu-central-1, as arn:aws:iam::111122223333:user/ann';
export const formatTarget = (stage: string) => `${stage}: ${at}`;

/** Mocks an AWS account without stacks. */
export function mockAws() {
  const sts = mockClient(STSClient);
  const cloudformation = mockClient(CloudFormationClient);
  const lambda = mockClient(LambdaClient);
  const dynamodb = mockClient(DynamoDBClient);
  const s3 = mockClient(S3Client);
  const gatewayLogRole = jest.fn<typeof gatewayAccount.readLogRole>();
  gatewayAccount.readLogRole = gatewayLogRole;

  const reset = () => {
    for (const mock of [sts, cloudformation, lambda, dynamodb, s3]) mock.reset();
    sts.on(GetCallerIdentityCommand).resolves({ Account: account, Arn: callerArn });
    sts.on(AssumeRoleCommand).resolves({
      Credentials: {
        AccessKeyId: 'role',
        SecretAccessKey: 'secret',
        SessionToken: 'token',
        Expiration: new Date(),
      },
    });
    cloudformation.on(DescribeStacksCommand).rejects('Stack with id x does not exist');
    cloudformation.on(ListStackResourcesCommand).resolves({ StackResourceSummaries: [] });
    cloudformation.on(DeleteChangeSetCommand).resolves({});
    lambda.on(GetAccountSettingsCommand).resolves({
      AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 1000 },
    });
    dynamodb.on(ListTablesCommand).resolves({ TableNames: [] });
    s3.on(ListObjectsV2Command).resolves({});
    gatewayLogRole.mockResolvedValue(undefined);
  };
  reset();

  const hasStack = (stage: string, StackStatus: StackStatus = 'UPDATE_COMPLETE') =>
    cloudformation.on(DescribeStacksCommand, { StackName: `messaging-${stage}` }).resolves({
      Stacks: [
        {
          StackName: `messaging-${stage}`,
          StackId: `arn:stack/messaging-${stage}`,
          CreationTime: new Date(),
          StackStatus,
        },
      ],
    });

  const wouldChange = (...changes: Change[]) =>
    cloudformation
      .on(DescribeChangeSetCommand)
      .resolves({ Status: 'CREATE_COMPLETE', Changes: changes });

  return {
    sts,
    cloudformation,
    lambda,
    dynamodb,
    s3,
    gatewayLogRole,
    reset,
    hasStack,
    wouldChange,
  };
}
