import {
  ListStackResourcesCommand,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import {
  DeleteTableCommand,
  ListTablesCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
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

describe('Destroying', () => {
  test('has the name of the stage typed, and removes its stack', async () => {
    const { tools, done, printed } = createRecordedTools({ typed: 'dev' });
    await destroy({ stage: 'dev', yes: false }, tools);
    expect(done).toEqual([question, removal]);
    expect(printed).toEqual([formatTarget('dev'), 'dev is deleted.']);
  });

  test('names what CloudFormation leaves behind, and why; what goes with something else is not named', async () => {
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
      'Remaining: AWS::IAM::Role logs-role: API Gateway of the whole account may use it for logging; it costs nothing. Delete it when `aws apigateway get-account` shows another role.',
      'Remaining: AWS::Logs::LogGroup a-log: delete it manually, because it may incur costs.',
    ]);
  });

  test('takes the tables with it that were restored of the stage’s, and no others', async () => {
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
    const { tools, printed } = createRecordedTools({ typed: 'dev' });
    await destroy({ stage: 'dev', yes: false }, tools);
    const restored = [
      'messaging-dev-restored-20261121T100000Z',
      'messaging-dev-restored-20261121T110000Z',
    ];
    expect(printed.slice(1, 3)).toEqual(
      restored.map((table) => `This also deletes the table ${table}, which was restored from it.`),
    );
    const calls = aws.dynamodb.commandCalls(DeleteTableCommand);
    expect(calls.map(({ args: [{ input }] }) => input.TableName)).toEqual(restored);
  });

  test('goes on where it may not look what is left, and says so', async () => {
    const refusal = Object.assign(new Error('not you'), { name: 'AccessDenied', $metadata: {} });
    aws.dynamodb.on(ListTablesCommand).rejects(refusal);
    aws.cloudformation.on(ListStackResourcesCommand).rejects(refusal);
    const { tools, done, printed } = createRecordedTools();
    await destroy({ stage: 'dev', yes: true }, tools);
    expect(done).toEqual([removal]);
    expect(printed.slice(1)).toEqual([
      'Could not list the tables restored from it. AWS rejected the request (AccessDenied): not you',
      'dev is deleted.',
      'Could not list the remaining resources. AWS rejected the request (AccessDenied): not you',
    ]);
  });

  test('does nothing when another name is typed', async () => {
    const { tools, done } = createRecordedTools({ typed: 'staging' });
    await expect(destroy({ stage: 'dev', yes: false }, tools)).rejects.toThrow(
      'Nothing was changed.',
    );
    expect([done, aws.dynamodb.commandCalls(DeleteTableCommand)]).toEqual([[question], []]);
  });

  test('with --yes asks nothing; where nobody can be asked it is needed', async () => {
    const { tools, done } = createRecordedTools();
    await destroy({ stage: 'dev', yes: true }, tools);
    expect(done).toEqual([removal]);
    await expect(destroy({ stage: 'dev', yes: false }, tools)).rejects.toThrow(noTerminalText);
  });

  test('of what is not there says so', async () => {
    aws.reset();
    const { tools, done, printed } = createRecordedTools();
    await destroy({ stage: 'dev', yes: true }, tools);
    expect([done, printed.at(-1)]).toEqual([[], 'No stack of dev in this account and region.']);
  });

  test('is refused for a stage that keeps its data, also with --yes', async () => {
    const { tools, done } = createRecordedTools({ typed: 'prod' });
    await expect(destroy({ stage: 'prod', yes: true }, tools)).rejects.toThrow(
      'prod retains its data (keepsData in lib/stages.ts): this command never deletes it, with or without --yes.',
    );
    expect([done, aws.sts.calls()]).toEqual([[], []]);
  });
});
