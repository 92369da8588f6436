import type { Change, ResourceChange } from '@aws-sdk/client-cloudformation';
import { describe, expect, test } from '@jest/globals';
import { findDataLosses } from '../../../commands/deploy/data-losses.ts';

const change = (ResourceChange: ResourceChange): Change => ({ Type: 'Resource', ResourceChange });

const table = (rest: ResourceChange) =>
  change({ ResourceType: 'AWS::DynamoDB::GlobalTable', LogicalResourceId: 'Table1', ...rest });
const pool = (rest: ResourceChange) =>
  change({ ResourceType: 'AWS::Cognito::UserPool', LogicalResourceId: 'Pool1', ...rest });

const key = (rest: ResourceChange) =>
  change({ ResourceType: 'AWS::KMS::Key', LogicalResourceId: 'Key1', ...rest });

const findLossTexts = (changes: Change[], releasedIds: string[] = []) =>
  findDataLosses(changes, releasedIds).map((loss) => loss.text);

const attributes = (...names: string[]) =>
  JSON.stringify(names.map((name) => ({ AttributeName: name, AttributeType: 'S' })));

/** Returns a change to attribute definitions that may replace the table. */
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

describe('A deployment is reported as a possible data loss if it', () => {
  test.each<[string, Change, string]>([
    [
      'replaces the table',
      table({ Action: 'Modify', Replacement: 'True', Details: [byName] }),
      'AWS::DynamoDB::GlobalTable Table1 would be replaced by an empty one (changed: TableName): all conversations and messages',
    ],
    [
      'may replace the table',
      table({ Action: 'Modify', Replacement: 'Conditional', Details: [byName] }),
      'AWS::DynamoDB::GlobalTable Table1 might be replaced by an empty one (changed: TableName): all conversations and messages',
    ],
    [
      'may replace the table for an unknown reason',
      table({ Action: 'Modify', Replacement: 'Conditional' }),
      'AWS::DynamoDB::GlobalTable Table1 might be replaced by an empty one: all conversations and messages',
    ],
    [
      'deletes the table',
      table({ Action: 'Remove', PolicyAction: 'Delete' }),
      'AWS::DynamoDB::GlobalTable Table1 would be deleted: all conversations and messages',
    ],
    [
      'removes the table from the stack and retains it',
      table({ Action: 'Remove', PolicyAction: 'Retain' }),
      'AWS::DynamoDB::GlobalTable Table1 would be retained but no longer used: all conversations and messages',
    ],
    [
      'changes the table in an unknown way',
      table({ Action: 'Dynamic' }),
      'AWS::DynamoDB::GlobalTable Table1 might be replaced or deleted: all conversations and messages',
    ],
    [
      'removes the user pool from the stack and retains it',
      pool({ Action: 'Remove', PolicyAction: 'Retain' }),
      'AWS::Cognito::UserPool Pool1 would be retained but no longer used: all user accounts: new accounts would have different contact ids',
    ],
    [
      'deletes the key',
      key({ Action: 'Remove', PolicyAction: 'Delete' }),
      'AWS::KMS::Key Key1 would be deleted: all data encrypted with this key',
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
      'AWS::Cognito::UserPoolClient Client1 would be replaced by an empty one (changed: GenerateSecret): sign-in in installed apps, whose client id would become invalid',
    ],
    [
      'deletes the API',
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
      'AWS::DynamoDB::GlobalTable Table1 might be replaced by an empty one (changed: AttributeDefinitions): all conversations and messages',
    ],
    [
      'changes attribute definitions in an unknown way',
      redefined(undefined, undefined),
      'AWS::DynamoDB::GlobalTable Table1 might be replaced by an empty one (changed: AttributeDefinitions): all conversations and messages',
    ],
  ])('%s', (_, one, expected) => {
    expect(findLossTexts([one])).toEqual([expected]);
  });
});

describe('A deployment is not reported as a data loss if it', () => {
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
    ['removes a key that stays in the account', key({ Action: 'Remove', PolicyAction: 'Retain' })],
    ['removes a function', change({ ResourceType: 'AWS::Lambda::Function', Action: 'Remove' })],
    ['makes a change without details', {}],
  ])('%s', (_, one) => {
    expect(findLossTexts([one])).toEqual([]);
  });
});

describe('A logical id passed with --retain-resources', () => {
  const retained = { Action: 'Remove', PolicyAction: 'Retain' } as const;

  test('allows removing a user pool from the stack if the pool stays in the account', () => {
    expect(findLossTexts([pool(retained)], ['Pool1'])).toEqual([]);
  });

  test.each<[string, Change]>([
    [
      'a user pool with another logical id to leave the stack',
      change({ ...pool(retained).ResourceChange, LogicalResourceId: 'Pool2' }),
    ],
    ['the user pool to be deleted', pool({ Action: 'Remove', PolicyAction: 'Delete' })],
    ['the user pool to be replaced', pool({ Action: 'Modify', Replacement: 'True' })],
  ])('does not allow %s', (_, one) => {
    expect(findLossTexts([one], ['Pool1'])).toHaveLength(1);
  });

  test('does not allow removing the table from the stack', () => {
    expect(findLossTexts([table(retained)], ['Table1'])).toHaveLength(1);
  });
});
