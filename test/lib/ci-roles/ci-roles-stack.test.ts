import { describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { type CiRolesProps, CiRolesStack } from '../../../lib/ci-roles/ci-roles-stack.ts';

const props: CiRolesProps = {
  repository: 'acme/messaging',
  account: 'development',
  branch: 'main',
  environment: 'production',
  hasGitHubProvider: false,
  env: { account: '123456789012', region: 'eu-central-1' },
};
const templateOf = (more: Partial<CiRolesProps> = {}) =>
  Template.fromStack(new CiRolesStack(new App(), 'ci', { ...props, ...more }));

const provider = { Ref: expect.stringMatching(/^GitHub/) };

const Role = v.object({
  Properties: v.object({
    AssumeRolePolicyDocument: v.unknown(),
    Policies: v.tuple([
      v.object({
        PolicyDocument: v.object({
          Statement: v.array(
            v.object({
              Effect: v.literal('Allow'),
              Action: v.unknown(),
              Resource: v.unknown(),
              Condition: v.optional(v.unknown()),
            }),
          ),
        }),
      }),
    ]),
  }),
});

const rolesIn = (template: Template) =>
  Object.fromEntries(
    Object.entries(template.findResources('AWS::IAM::Role')).map(([id, resource]) => {
      const { AssumeRolePolicyDocument, Policies } = v.parse(Role, resource).Properties;
      // Converts the `Fn::Join` of each ARN to plain text, with the partition `aws`.
      const text = JSON.stringify(Policies[0].PolicyDocument.Statement)
        .replaceAll('{"Fn::Join":["",["arn:",{"Ref":"AWS::Partition"},"', '"arn:aws')
        .replaceAll('"]]}', '"');
      const statements: unknown = JSON.parse(text);
      const name = id.replace(/[0-9A-F]{8}$/, '');
      return [name, { trusts: AssumeRolePolicyDocument, permissions: statements }];
    }),
  );

const development = templateOf();
const production = templateOf({ account: 'production' });

const trustOf = (sub: string) => ({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Action: 'sts:AssumeRoleWithWebIdentity',
      Principal: { Federated: provider },
      Condition: {
        StringEquals: {
          'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
          'token.actions.githubusercontent.com:sub': sub,
        },
      },
    },
  ],
});
const statement = (Action: unknown, Resource: unknown, more = {}) => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...more,
});
const stack = (stage: string) =>
  `arn:aws:cloudformation:eu-central-1:123456789012:stack/messaging-${stage}/*`;
const cdkRoles = ['deploy', 'file-publishing', 'lookup'].map(
  (purpose) =>
    `arn:aws:iam::123456789012:role/cdk-hnb659fds-${purpose}-role-123456789012-eu-central-1`,
);

const getReadStatements = (stage: string) => {
  const toArn = (service: string, name: string) =>
    `arn:aws:${service}:eu-central-1:123456789012:${name}`;
  return [
    statement(['cloudformation:GetTemplate', 'cloudformation:ListStackResources'], stack(stage)),
    statement('lambda:GetAccountSettings', '*'),
    statement(
      ['lambda:GetAlias', 'lambda:UpdateAlias'],
      toArn('lambda', `function:messaging-${stage}-*`),
    ),
    statement('iam:SimulatePrincipalPolicy', `arn:aws:iam::123456789012:role/messaging-${stage}-*`),
    statement('logs:FilterLogEvents', toArn('logs', `log-group:messaging-${stage}-*`)),
    statement('cloudwatch:DescribeAlarms', toArn('cloudwatch', 'alarm:*')),
    statement('sns:ListSubscriptionsByTopic', toArn('sns', `messaging-${stage}-*`)),
    statement(
      [
        'dynamodb:DescribeTable',
        'dynamodb:DescribeContinuousBackups',
        'dynamodb:DescribeTimeToLive',
      ],
      toArn('dynamodb', `table/messaging-${stage}-*`),
    ),
  ];
};

describe('In an account with staging, GitHub Actions', () => {
  const { DiffRole, StagingRole, ...others } = rolesIn(development);

  test("running for a pull request can only describe staging's stack and read its template", () => {
    expect(DiffRole).toEqual({
      trusts: trustOf('repo:acme/messaging:pull_request'),
      permissions: [
        statement(
          ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
          stack('staging'),
        ),
      ],
    });
  });

  test("running on the main branch can deploy and verify staging, and manage test users in staging's user pool", () => {
    expect(StagingRole).toEqual({
      trusts: trustOf('repo:acme/messaging:ref:refs/heads/main'),
      permissions: [
        statement('sts:AssumeRole', cdkRoles),
        statement('cloudformation:DescribeStacks', stack('staging')),
        ...getReadStatements('staging'),
        statement(
          expect.arrayContaining(['cognito-idp:AdminCreateUser', 'cognito-idp:AdminInitiateAuth']),
          'arn:aws:cognito-idp:eu-central-1:123456789012:userpool/*',
          { Condition: { StringEquals: { 'aws:ResourceTag/messaging-stage': 'staging' } } },
        ),
      ],
    });
  });

  test('has no other role', () => {
    expect(others).toEqual({});
  });
});

test('In a production account, GitHub Actions can assume a role only from the production environment', () => {
  expect(rolesIn(production)).toEqual({
    ProductionRole: {
      trusts: trustOf('repo:acme/messaging:environment:production'),
      permissions: [
        statement('sts:AssumeRole', cdkRoles),
        statement('cloudformation:DescribeStacks', stack('prod')),
        ...getReadStatements('prod'),
      ],
    },
  });
});

describe.each([
  ['development', development, ['DiffRoleArn', 'StagingRoleArn']],
  ['production', production, ['ProductionRoleArn']],
] as const)('The stack of roles for %s', (account, template, outputs) => {
  test('creates no user or access key, and creates an identity provider only if the account has none', () => {
    template.resourceCountIs('AWS::IAM::User', 0);
    template.resourceCountIs('AWS::IAM::AccessKey', 0);
    template.hasResourceProperties('AWS::IAM::OIDCProvider', {
      Url: 'https://token.actions.githubusercontent.com',
      ClientIdList: ['sts.amazonaws.com'],
    });
    const known = templateOf({ account, hasGitHubProvider: true });
    known.resourceCountIs('AWS::IAM::OIDCProvider', 0);
  });

  test("outputs the roles' ARNs for the repository's variables", () => {
    expect(Object.keys(template.findOutputs('*')).sort()).toEqual(outputs);
  });
});
