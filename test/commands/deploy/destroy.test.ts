import {
  ListStackResourcesCommand,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import {
  DeleteTableCommand,
  ListTablesCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { noTerminalText } from '../../../commands/cli/confirm.ts';
import { destroy } from '../../../commands/deploy/destroy.ts';
import { formatTarget, mockAws } from './mocked-aws.ts';
import { createRecordedTools } from './recorded-commands.ts';

const aws = mockAws();
beforeEach(() => {
  aws.reset();
  aws.hasStack('dev');
});

const question =
  'asks: This deletes dev with all its data. Type the name of the stage to continue: ';
const removal = 'cdk destroy messaging-dev -c stage=dev --force';

const resource = (
  ResourceType: string,
  PhysicalResourceId: string,
  ResourceStatus: 'DELETE_COMPLETE' | 'DELETE_SKIPPED',
): StackResourceSummary => ({
  LogicalResourceId: PhysicalResourceId,
  LastUpdatedTimestamp: new Date(),
  ResourceType,
  PhysicalResourceId,
  ResourceStatus,
});

describe('npm run destroy', () => {
  test('deletes the stack after the operator types the name of the stage', async () => {
    const { tools, done, printed } = createRecordedTools({ reply: 'dev' });
    await destroy({ stage: 'dev', yes: false }, tools);
    expect(done).toEqual([question, removal]);
    expect(printed).toEqual([formatTarget('dev'), 'dev is deleted.']);
  });

  test('lists the remaining resources with instructions, but omits resources deleted with their parent', async () => {
    aws.cloudformation
      .on(ListStackResourcesCommand, { StackName: 'arn:stack/messaging-dev' })
      .resolves({
        StackResourceSummaries: [
          resource('AWS::DynamoDB::GlobalTable', 'table', 'DELETE_COMPLETE'),
          resource('AWS::Lambda::Version', 'version', 'DELETE_SKIPPED'),
          resource('AWS::IAM::Role', 'logs-role', 'DELETE_SKIPPED'),
          resource('AWS::Logs::LogGroup', 'a-log', 'DELETE_SKIPPED'),
        ],
      });
    const { tools, printed } = createRecordedTools();
    await destroy({ stage: 'dev', yes: true }, tools);
    expect(printed.slice(2)).toEqual([
      'Remaining: AWS::IAM::Role logs-role: API Gateway may use this role for the logs of all APIs in the account and region. The role costs nothing. Delete it when `aws apigateway get-account` shows another role.',
      'Remaining: AWS::Logs::LogGroup a-log: delete it manually, because it may incur costs.',
    ]);
  });

  test("first deletes the files in the stage's buckets, and stops if that fails", async () => {
    aws.cloudformation.on(ListStackResourcesCommand, { StackName: 'messaging-dev' }).resolves({
      StackResourceSummaries: [
        {
          ...resource('AWS::S3::Bucket', 'files', 'DELETE_SKIPPED'),
          ResourceStatus: 'CREATE_COMPLETE',
        },
        resource('AWS::S3::Bucket', 'deleted', 'DELETE_COMPLETE'),
        resource('AWS::IAM::Role', 'role', 'DELETE_SKIPPED'),
      ],
    });
    aws.s3
      .on(ListObjectsV2Command, { Bucket: 'files' })
      .resolves({ Contents: [{ Key: 'a' }], NextContinuationToken: 'next' })
      .on(ListObjectsV2Command, { Bucket: 'files', ContinuationToken: 'next' })
      .resolves({ Contents: [{ Key: 'b' }] })
      .on(DeleteObjectsCommand)
      .resolves({});
    const { tools, done } = createRecordedTools();
    await destroy({ stage: 'dev', yes: true }, tools);
    expect(done).toEqual([removal]);
    const calls = aws.s3.commandCalls(DeleteObjectsCommand).map(({ args: [{ input }] }) => input);
    expect(calls.map(({ Bucket, Delete }) => [Bucket, Delete?.Objects])).toEqual([
      ['files', [{ Key: 'a' }]],
      ['files', [{ Key: 'b' }]],
    ]);
    aws.s3.on(DeleteObjectsCommand).resolves({ Errors: [{ Key: 'a', Message: 'Denied' }] });
    await expect(destroy({ stage: 'dev', yes: true }, tools)).rejects.toThrow(
      'a from files: Denied',
    );
    expect(done).toEqual([removal]);
  });

  test("also deletes the tables restored from the stage's table, and no other tables", async () => {
    aws.dynamodb.on(ListTablesCommand).resolves({
      TableNames: [
        'messaging-dev-Table-1',
        'messaging-dev-restored-20261121T100000Z',
        'messaging-dev-restored-20261121T110000Z',
        'messaging-dev-restored-mine',
        'messaging-development-restored-20261121T100000Z',
      ],
    });
    aws.dynamodb
      .on(DeleteTableCommand)
      .rejectsOnce(new ResourceNotFoundException({ message: 'gone', $metadata: {} }))
      .resolves({});
    const { tools, printed } = createRecordedTools({ reply: 'dev' });
    await destroy({ stage: 'dev', yes: false }, tools);
    const restored = [
      'messaging-dev-restored-20261121T100000Z',
      'messaging-dev-restored-20261121T110000Z',
    ];
    expect(printed.slice(1, 3)).toEqual(
      restored.map((table) => `This also deletes the restored table ${table}.`),
    );
    const calls = aws.dynamodb.commandCalls(DeleteTableCommand);
    expect(calls.map(({ args: [{ input }] }) => input.TableName)).toEqual(restored);
  });

  test('reports resources that cannot be listed, and continues', async () => {
    const denied = Object.assign(new Error('not you'), { name: 'AccessDenied', $metadata: {} });
    aws.dynamodb.on(ListTablesCommand).rejects(denied);
    aws.cloudformation.on(ListStackResourcesCommand).rejects(denied);
    const { tools, done, printed } = createRecordedTools();
    await destroy({ stage: 'dev', yes: true }, tools);
    expect(done).toEqual([removal]);
    expect(printed.slice(1)).toEqual([
      'Could not list the restored tables. AWS rejected the request (AccessDenied): not you',
      'Could not list the buckets. AWS rejected the request (AccessDenied): not you',
      'dev is deleted.',
      'Could not list the remaining resources. AWS rejected the request (AccessDenied): not you',
    ]);
  });

  test('changes nothing if another name is typed', async () => {
    const { tools, done } = createRecordedTools({ reply: 'staging' });
    await expect(destroy({ stage: 'dev', yes: false }, tools)).rejects.toThrow(
      'Nothing was changed.',
    );
    expect([done, aws.dynamodb.commandCalls(DeleteTableCommand)]).toEqual([[question], []]);
  });

  test('requires no confirmation with --yes, and requires --yes without a terminal', async () => {
    const { tools, done } = createRecordedTools();
    await destroy({ stage: 'dev', yes: true }, tools);
    expect(done).toEqual([removal]);
    await expect(destroy({ stage: 'dev', yes: false }, tools)).rejects.toThrow(noTerminalText);
  });

  test('reports a missing stack', async () => {
    aws.reset();
    const { tools, done, printed } = createRecordedTools();
    await destroy({ stage: 'dev', yes: true }, tools);
    expect([done, printed.at(-1)]).toEqual([
      [],
      'No stack of dev exists in this account and region. Check the AWS profile and region.',
    ]);
  });

  test('is rejected for a stage that retains its data, even with --yes', async () => {
    const { tools, done } = createRecordedTools({ reply: 'prod' });
    await expect(destroy({ stage: 'prod', yes: true }, tools)).rejects.toThrow(
      'prod retains its data (keepsData in lib/stages.ts): this command does not delete it, even with --yes.',
    );
    expect([done, aws.sts.calls()]).toEqual([[], []]);
  });
});
