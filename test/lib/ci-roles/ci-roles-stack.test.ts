import { describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { CiRolesStack } from '../../../lib/ci-roles/ci-roles-stack.ts';

const props = {
  repository: 'acme/messaging',
  branch: 'main',
  environment: 'production',
  knowsGitHub: false,
  env: { account: '123456789012', region: 'eu-central-1' },
};
const templateOf = (more: Partial<typeof props> = {}) =>
  Template.fromStack(new CiRolesStack(new App(), 'ci', { ...props, ...more }));

const Role = v.object({
  Properties: v.object({
    AssumeRolePolicyDocument: v.object({
      Statement: v.tuple([
        v.object({ Action: v.literal('sts:AssumeRoleWithWebIdentity'), Condition: v.unknown() }),
      ]),
    }),
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

const template = templateOf();
const roles = Object.fromEntries(
  Object.entries(template.findResources('AWS::IAM::Role')).map(([id, resource]) => {
    const { AssumeRolePolicyDocument, Policies } = v.parse(Role, resource).Properties;
    const [{ Condition }] = AssumeRolePolicyDocument.Statement;
    // Resources as text, with `aws` for the partition.
    const text = JSON.stringify(Policies[0].PolicyDocument.Statement)
      .replaceAll('{"Fn::Join":["",["arn:",{"Ref":"AWS::Partition"},"', '"arn:aws')
      .replaceAll('"]]}', '"');
    const statements: unknown = JSON.parse(text);
    return [id.replace(/[0-9A-F]{8}$/, ''), { trusts: Condition, may: statements }];
  }),
);

const trustOf = (sub: string) => ({
  StringEquals: {
    'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
    'token.actions.githubusercontent.com:sub': sub,
  },
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

describe('The roles of GitHub Actions', () => {
  test('are three; that of a pull request may only read the template of staging', () => {
    expect(Object.keys(roles).sort()).toEqual(['DiffRole', 'ProductionRole', 'StagingRole']);
    expect(roles.DiffRole).toEqual({
      trusts: trustOf('repo:acme/messaging:pull_request'),
      may: [
        statement(
          ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
          stack('staging'),
        ),
      ],
    });
  });

  test('let the branch deploy staging, and make test users of its pool only', () => {
    expect(roles.StagingRole).toEqual({
      trusts: trustOf('repo:acme/messaging:ref:refs/heads/main'),
      may: [
        statement('sts:AssumeRole', cdkRoles),
        statement('cloudformation:DescribeStacks', stack('staging')),
        statement(
          expect.arrayContaining(['cognito-idp:AdminCreateUser', 'cognito-idp:AdminInitiateAuth']),
          'arn:aws:cognito-idp:eu-central-1:123456789012:userpool/*',
          { Condition: { StringEquals: { 'aws:ResourceTag/messaging-stage': 'staging' } } },
        ),
      ],
    });
  });

  test('let production be deployed only from the environment that somebody approves', () => {
    expect(roles.ProductionRole).toEqual({
      trusts: trustOf('repo:acme/messaging:environment:production'),
      may: [
        statement('sts:AssumeRole', cdkRoles),
        statement('cloudformation:DescribeStacks', stack('prod')),
      ],
    });
  });

  test('have no user and no key, and GitHub is made known once an account', () => {
    template.resourceCountIs('AWS::IAM::User', 0);
    template.resourceCountIs('AWS::IAM::AccessKey', 0);
    template.hasResourceProperties('AWS::IAM::OIDCProvider', {
      Url: 'https://token.actions.githubusercontent.com',
      ClientIdList: ['sts.amazonaws.com'],
    });
    templateOf({ knowsGitHub: true }).resourceCountIs('AWS::IAM::OIDCProvider', 0);
  });

  test('are named in outputs, for the variables of the repository', () => {
    expect(Object.keys(template.findOutputs('*')).sort()).toEqual([
      'DiffRoleArn',
      'ProductionRoleArn',
      'StagingRoleArn',
    ]);
  });
});
