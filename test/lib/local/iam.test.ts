import { describe, expect, test } from '@jest/globals';
import { rolesOf } from '../../../lib/local/iam.ts';
import { readStack } from '../../../lib/local/stack.ts';
import { grantsFor } from '../../../lib/local/table-grants.ts';
import { assemblyOf } from './small-stack.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/T';

/** What a role with those statements is told when it asks for that. */
function decision(statements: unknown[], action: string, resource: string) {
  const { template } = assemblyOf('', {
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {},
        RoleName: 'R',
        Policies: [{ PolicyName: 'own', PolicyDocument: { Statement: statements } }],
      },
    },
  });
  const [authorize] = rolesOf(readStack('small', template)).values();
  return authorize?.(action, resource);
}

const allow = (Action: string | string[], Resource: string | string[]) => ({
  Effect: 'Allow',
  Action,
  Resource,
});

describe('what a role may do', () => {
  test.each([
    ['nothing without a statement', [], 'no policy allows it'],
    ['the action that is named', [allow('dynamodb:GetItem', table)], 'allow'],
    ['an action in other capitals', [allow('DynamoDB:getitem', table)], 'allow'],
    ['one of several actions', [allow(['dynamodb:PutItem', 'dynamodb:GetItem'], [table])], 'allow'],
    ['actions by wildcard', [allow('dynamodb:Get*', '*')], 'allow'],
    ['not another action', [allow('dynamodb:PutItem', table)], 'no policy allows it'],
    ['not on another table', [allow('dynamodb:GetItem', `${table}2`)], 'no policy allows it'],
    [
      'not on an index of the table',
      [allow('dynamodb:GetItem', `${table}/index/*`)],
      'no policy allows it',
    ],
    [
      'not what is denied besides',
      [allow('*', '*'), { ...allow('dynamodb:*', '*'), Effect: 'Deny' }],
      'explicit deny',
    ],
    ['what is not excepted', [{ Effect: 'Allow', NotAction: 's3:*', Resource: '*' }], 'allow'],
    [
      'not what is excepted',
      [{ Effect: 'Allow', Action: '*', NotResource: table }],
      'no policy allows it',
    ],
  ])('%s', (_, statements, expected) => {
    expect(decision(statements, 'dynamodb:GetItem', table)).toBe(expected);
  });

  test('is also what a policy says that is attached to it', () => {
    const { template } = assemblyOf('', {
      Role: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: {} } },
      Other: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: {} } },
      Policy: {
        Type: 'AWS::IAM::Policy',
        Properties: {
          PolicyName: 'attached',
          PolicyDocument: { Statement: [allow('dynamodb:GetItem', table)] },
          Roles: [{ Ref: 'Role' }],
        },
      },
    });
    const decisions = [...rolesOf(readStack('small', template)).values()].map((authorize) =>
      authorize('dynamodb:GetItem', table),
    );
    expect(decisions).toEqual(['allow', 'no policy allows it']);
  });

  test('a condition on access to a table is refused, as it cannot be checked', () => {
    const Condition = { StringEquals: { 'dynamodb:Select': 'COUNT' } };
    const statements = [{ ...allow('dynamodb:Query', table), Condition }];
    expect(() => decision(statements, 'dynamodb:Query', table)).toThrow(
      'Role: the local cloud cannot check the condition {"StringEquals":{"dynamodb:Select":"COUNT"}}',
    );
  });
});

describe('what a call needs to be granted', () => {
  test.each([
    ['PutItem', { TableName: 'T' }, [['dynamodb:PutItem', table]]],
    ['Query', { TableName: 'T', IndexName: 'i' }, [['dynamodb:Query', `${table}/index/i`]]],
    [
      'BatchGetItem',
      { RequestItems: { T: {}, U: {} } },
      [
        ['dynamodb:BatchGetItem', table],
        ['dynamodb:BatchGetItem', table.replace(/T$/, 'U')],
      ],
    ],
    [
      'TransactWriteItems',
      { TransactItems: [{ Put: { TableName: 'T' } }, { ConditionCheck: { TableName: 'T' } }] },
      [
        ['dynamodb:PutItem', table],
        ['dynamodb:ConditionCheckItem', table],
      ],
    ],
    [
      'TransactGetItems',
      { TransactItems: [{ Get: { TableName: 'T' } }] },
      [['dynamodb:GetItem', table]],
    ],
    ['ListTables', {}, [['dynamodb:ListTables', '*']]],
  ])('%s of %j', (operation, body, expected) => {
    expect(grantsFor(operation, body)).toEqual(
      expected.map(([action, resource]) => ({ action, resource })),
    );
  });
});
