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

/**
 * Returns a change of attribute definitions as CloudFormation describes it: with a conditional
 * replacement.
 */
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

describe('A deployment loses data when it', () => {
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
      'may replace the table for an unknown reason',
      table({ Action: 'Modify', Replacement: 'Conditional' }),
      'AWS::DynamoDB::GlobalTable Table1 might be replaced by an empty one: all conversations and messages',
    ],
    [
      'removes the table with its data',
      table({ Action: 'Remove', PolicyAction: 'Delete' }),
      'AWS::DynamoDB::GlobalTable Table1 would be deleted: all conversations and messages',
    ],
    [
      'removes the table from the stack',
      table({ Action: 'Remove', PolicyAction: 'Retain' }),
      'AWS::DynamoDB::GlobalTable Table1 would leave the stack and stop serving: all conversations and messages',
    ],
    [
      'changes the table in an unknown way',
      table({ Action: 'Dynamic' }),
      'AWS::DynamoDB::GlobalTable Table1 might be replaced or deleted: all conversations and messages',
    ],
    [
      'removes the user pool from the stack',
      pool({ Action: 'Remove', PolicyAction: 'Retain' }),
      'AWS::Cognito::UserPool Pool1 would leave the stack and stop serving: all user accounts: new accounts would have other contact ids',
    ],
    [
      'replaces the app client',
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
      'changes the URL of the API',
      change({
        ResourceType: 'AWS::ApiGateway::RestApi',
        LogicalResourceId: 'Api1',
        Action: 'Remove',
        PolicyAction: 'Delete',
      }),
      'AWS::ApiGateway::RestApi Api1 would be deleted: the URL of the API',
    ],
    [
      'redefines an attribute of the table',
      redefined(attributes('pk', 'gsi1pk'), attributes('pk', 'gsi4pk')),
      'AWS::DynamoDB::GlobalTable Table1 might be replaced by an empty one (by its AttributeDefinitions): all conversations and messages',
    ],
    [
      'changes attribute definitions in an unknown way',
      redefined(undefined, undefined),
      'AWS::DynamoDB::GlobalTable Table1 might be replaced by an empty one (by its AttributeDefinitions): all conversations and messages',
    ],
  ])('%s', (_, one, expected) => {
    expect(says([one])).toEqual([expected]);
  });
});

describe('A deployment loses no data when it', () => {
  test.each<[string, Change]>([
    ['creates a table', table({ Action: 'Add' })],
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
      'replaces a resource that can be recreated',
      change({ ResourceType: 'AWS::Lambda::Version', Action: 'Modify', Replacement: 'True' }),
    ],
    ['removes a function', change({ ResourceType: 'AWS::Lambda::Function', Action: 'Remove' })],
    ['makes a change without details', {}],
  ])('%s', (_, one) => {
    expect(says([one])).toEqual([]);
  });
});

describe('A user pool may leave the stack', () => {
  const retained = { Action: 'Remove', PolicyAction: 'Retain' } as const;

  test('if its logical id is given and it stays in the account', () => {
    expect(says([pool(retained)], ['Pool1'])).toEqual([]);
  });

  test.each<[string, Change]>([
    [
      'if only another logical id is given',
      change({ ...pool(retained).ResourceChange, LogicalResourceId: 'Pool2' }),
    ],
    ['if it would be deleted', pool({ Action: 'Remove', PolicyAction: 'Delete' })],
    ['if it would be replaced', pool({ Action: 'Modify', Replacement: 'True' })],
  ])('but not %s', (_, one) => {
    expect(says([one], ['Pool1'])).toHaveLength(1);
  });

  test('but the table may not', () => {
    expect(says([table(retained)], ['Table1'])).toHaveLength(1);
  });
});
