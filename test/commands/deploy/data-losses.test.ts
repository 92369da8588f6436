import type { Change, ResourceChange } from '@aws-sdk/client-cloudformation';
import { describe, expect, test } from '@jest/globals';
import { findDataLosses } from '../../../commands/deploy/data-losses.ts';

const change = (ResourceChange: ResourceChange): Change => ({ Type: 'Resource', ResourceChange });

const table = (rest: ResourceChange) =>
  change({ ResourceType: 'AWS::DynamoDB::GlobalTable', LogicalResourceId: 'Table1', ...rest });
const pool = (rest: ResourceChange) =>
  change({ ResourceType: 'AWS::Cognito::UserPool', LogicalResourceId: 'Pool1', ...rest });

const says = (changes: Change[], letGo: string[] = []) =>
  findDataLosses(changes, letGo).map((loss) => loss.text);

const attributes = (...names: string[]) =>
  JSON.stringify(names.map((name) => ({ AttributeName: name, AttributeType: 'S' })));

/** As CloudFormation describes it when attributes are defined anew: it cannot tell by itself whether one has changed. */
const redefined = (before: string | undefined, after: string | undefined) =>
  table({
    Action: 'Modify',
    Replacement: 'Conditional',
    Details: [
      { Target: { Name: 'GlobalSecondaryIndexes', RequiresRecreation: 'Never' } },
      {
        Target: {
          Name: 'AttributeDefinitions',
          RequiresRecreation: 'Conditionally',
          ...(before !== undefined && { BeforeValue: before }),
          ...(after !== undefined && { AfterValue: after }),
        },
      },
    ],
  });

const byName = { Target: { Name: 'TableName', RequiresRecreation: 'Always' as const } };

describe('A deployment loses something when it', () => {
  test.each<[string, Change, string]>([
    [
      'replaces the table',
      table({ Action: 'Modify', Replacement: 'True', Details: [byName] }),
      'AWS::DynamoDB::GlobalTable Table1 would be replaced by an empty one (by its TableName): all conversations and messages',
    ],
    [
      'may replace the table',
      table({ Action: 'Modify', Replacement: 'Conditional', Details: [byName] }),
      'AWS::DynamoDB::GlobalTable Table1 might be replaced by an empty one (by its TableName): all conversations and messages',
    ],
    [
      'may replace the table for no reason that is given',
      table({ Action: 'Modify', Replacement: 'Conditional' }),
      'AWS::DynamoDB::GlobalTable Table1 might be replaced by an empty one: all conversations and messages',
    ],
    [
      'removes the table with its data',
      table({ Action: 'Remove', PolicyAction: 'Delete' }),
      'AWS::DynamoDB::GlobalTable Table1 would be deleted: all conversations and messages',
    ],
    [
      'lets go of the table',
      table({ Action: 'Remove', PolicyAction: 'Retain' }),
      'AWS::DynamoDB::GlobalTable Table1 would leave the stack and stop serving: all conversations and messages',
    ],
    [
      'does something to the table that nobody knows yet',
      table({ Action: 'Dynamic' }),
      'AWS::DynamoDB::GlobalTable Table1 might be replaced or deleted: all conversations and messages',
    ],
    [
      'lets go of the people',
      pool({ Action: 'Remove', PolicyAction: 'Retain' }),
      'AWS::Cognito::UserPool Pool1 would leave the stack and stop serving: all user accounts: new accounts would have other contact ids',
    ],
    [
      'replaces the client of the apps',
      change({
        ResourceType: 'AWS::Cognito::UserPoolClient',
        LogicalResourceId: 'Client1',
        Action: 'Modify',
        Replacement: 'True',
        Details: [{ Target: { Name: 'GenerateSecret', RequiresRecreation: 'Always' } }],
      }),
      'AWS::Cognito::UserPoolClient Client1 would be replaced by an empty one (by its GenerateSecret): the client id in every installed app',
    ],
    [
      'moves the API to another address',
      change({
        ResourceType: 'AWS::ApiGateway::RestApi',
        LogicalResourceId: 'Api1',
        Action: 'Remove',
        PolicyAction: 'Delete',
      }),
      'AWS::ApiGateway::RestApi Api1 would be deleted: the URL of the API',
    ],
    [
      'defines an attribute of the table otherwise',
      redefined(attributes('pk', 'gsi1pk'), attributes('pk', 'gsi4pk')),
      'AWS::DynamoDB::GlobalTable Table1 might be replaced by an empty one (by its AttributeDefinitions): all conversations and messages',
    ],
    [
      'defines attributes of the table in a way that is not told',
      redefined(undefined, undefined),
      'AWS::DynamoDB::GlobalTable Table1 might be replaced by an empty one (by its AttributeDefinitions): all conversations and messages',
    ],
  ])('%s', (_, one, expected) => {
    expect(says([one])).toEqual([expected]);
  });
});

describe('A deployment loses nothing when it', () => {
  test.each<[string, Change]>([
    ['makes a table', table({ Action: 'Add' })],
    [
      'changes a setting of the table',
      table({
        Action: 'Modify',
        Replacement: 'False',
        Details: [{ Target: { Name: 'StreamSpecification', RequiresRecreation: 'Never' } }],
      }),
    ],
    ['adds an index', redefined(attributes('pk', 'gsi1pk'), attributes('gsi4pk', 'gsi1pk', 'pk'))],
    [
      'replaces what can be made again',
      change({ ResourceType: 'AWS::Lambda::Version', Action: 'Modify', Replacement: 'True' }),
    ],
    ['removes a function', change({ ResourceType: 'AWS::Lambda::Function', Action: 'Remove' })],
    ['says nothing', {}],
  ])('%s', (_, one) => {
    expect(says([one])).toEqual([]);
  });
});

describe('A user pool can be let go of', () => {
  const retained = { Action: 'Remove', PolicyAction: 'Retain' } as const;

  test('by its name, when it stays in the account', () => {
    expect(says([pool(retained)], ['Pool1'])).toEqual([]);
  });

  test.each<[string, Change]>([
    ['by another name', change({ ...pool(retained).ResourceChange, LogicalResourceId: 'Pool2' })],
    ['when it would be deleted', pool({ Action: 'Remove', PolicyAction: 'Delete' })],
    ['when it would be replaced', pool({ Action: 'Modify', Replacement: 'True' })],
  ])('but not %s', (_, one) => {
    expect(says([one], ['Pool1'])).toHaveLength(1);
  });

  test('but the table never', () => {
    expect(says([table(retained)], ['Table1'])).toHaveLength(1);
  });
});
