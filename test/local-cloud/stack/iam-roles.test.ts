import { describe, expect, test } from '@jest/globals';
import { getRoles } from '../../../local-cloud/stack/iam-roles.ts';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';
import { createAssembly } from '../small-stack.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/T';

function decision(
  statements: unknown[],
  action: string,
  resource: string,
  leadingKeys?: readonly string[],
  enclosingOperation?: string,
) {
  const { template } = createAssembly('', {
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {},
        RoleName: 'R',
        Policies: [{ PolicyName: 'own', PolicyDocument: { Statement: statements } }],
      },
    },
  });
  const [authorize] = getRoles(readStack('small', template)).values();
  return authorize?.(action, resource, leadingKeys, enclosingOperation);
}

const allow = (Action: string | string[], Resource: string | string[]) => ({
  Effect: 'Allow',
  Action,
  Resource,
});

describe("a role's permissions", () => {
  test.each([
    ['cover nothing without a statement', [], 'no policy allows it'],
    ['cover a named action', [allow('dynamodb:GetItem', table)], 'allow'],
    ['cover an action in another letter case', [allow('DynamoDB:getitem', table)], 'allow'],
    [
      'cover one of several actions',
      [allow(['dynamodb:PutItem', 'dynamodb:GetItem'], [table])],
      'allow',
    ],
    ['cover actions by wildcard', [allow('dynamodb:Get*', '*')], 'allow'],
    ['do not cover another action', [allow('dynamodb:PutItem', table)], 'no policy allows it'],
    ['do not cover another table', [allow('dynamodb:GetItem', `${table}2`)], 'no policy allows it'],
    [
      'do not cover the table if they name only its indexes',
      [allow('dynamodb:GetItem', `${table}/index/*`)],
      'no policy allows it',
    ],
    [
      'do not cover an explicitly denied action',
      [allow('*', '*'), { ...allow('dynamodb:*', '*'), Effect: 'Deny' }],
      'explicit deny',
    ],
  ])('%s', (_, statements, expected) => {
    expect(decision(statements, 'dynamodb:GetItem', table)).toBe(expected);
  });

  test('include the permissions of attached policies', () => {
    const { template } = createAssembly('', {
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
    const decisions = [...getRoles(readStack('small', template)).values()].map((authorize) =>
      authorize('dynamodb:GetItem', table),
    );
    expect(decisions).toEqual(['allow', 'no policy allows it']);
  });

  const onKeys = (Condition: object) => [{ ...allow('dynamodb:Query', table), Condition }];
  const like = (...keys: string[]) => ({
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
  });
  const keysRequired = { Null: { 'dynamodb:LeadingKeys': 'false' } };

  test.each([
    ['cover a partition that matches the pattern', like('A#*'), ['A#1'], 'allow'],
    [
      'cover several partitions that each match a pattern',
      like('A#*', 'B#*'),
      ['A#1', 'B#2'],
      'allow',
    ],
    [
      'do not cover a partition that matches no pattern',
      like('A#*'),
      ['A#1', 'B#2'],
      'no policy allows it',
    ],
    [
      'do not cover a partition if only its end matches the pattern',
      like('A#?'),
      ['XA#1'],
      'no policy allows it',
    ],
    ['cover a call without partitions', like('A#*'), [], 'allow'],
    [
      'do not cover a call without a required partition',
      { ...like('A#*'), ...keysRequired },
      [],
      'no policy allows it',
    ],
    [
      'cover a required partition that is present',
      { ...like('A#*'), ...keysRequired },
      ['A#1'],
      'allow',
    ],
  ])('%s', (_, condition, keys, expected) => {
    expect(decision(onKeys(condition), 'dynamodb:Query', table, keys)).toBe(expected);
  });

  test('can be restricted to calls within TransactWriteItems', () => {
    const inTransaction = {
      'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] },
    };
    const decide = (...operation: string[]) =>
      decision(onKeys(inTransaction), 'dynamodb:Query', table, ['A'], ...operation);
    expect([decide('TransactWriteItems'), decide('TransactGetItems'), decide()]).toEqual([
      'allow',
      'no policy allows it',
      'no policy allows it',
    ]);
  });

  test.each([
    { StringEquals: { 'dynamodb:Select': 'COUNT' } },
    like(['A#$', '{aws:username}'].join('')),
    { ...like('A'), Bool: { 'aws:SecureTransport': 'true' } },
  ])('are rejected if a condition on table access is unsupported: %j', (Condition) => {
    expect(() => decision(onKeys(Condition), 'dynamodb:Query', table)).toThrow(
      `Role: unsupported condition ${JSON.stringify(Condition)}`,
    );
  });
});
