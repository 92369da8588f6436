import { ArnFormat, type Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { stackNameOf, stageTag } from '../stage-names.ts';

/** The qualifier that `cdk bootstrap` gives its roles unless told otherwise. */
const qualifier = 'hnb659fds';

/** To see how a template differs from what is deployed, and nothing else: no data, no change sets, no other role. */
export const diffStatements = (stack: Stack, stageName: string): PolicyStatement[] => [
  new PolicyStatement({
    actions: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
    resources: [deployedStack(stack, stageName)],
  }),
];

/** To deploy as a person would: by the roles of the bootstrap, and to read what came out. */
export const deployStatements = (stack: Stack, stageName: string): PolicyStatement[] => [
  new PolicyStatement({
    actions: ['sts:AssumeRole'],
    resources: ['deploy', 'file-publishing', 'lookup'].map((purpose) =>
      stack.formatArn({
        service: 'iam',
        region: '',
        resource: 'role',
        resourceName: `cdk-${qualifier}-${purpose}-role-${stack.account}-${stack.region}`,
      }),
    ),
  }),
  new PolicyStatement({
    actions: ['cloudformation:DescribeStacks'],
    resources: [deployedStack(stack, stageName)],
  }),
];

/**
 * To look whether what was deployed works, as `npm run deploy` and `npm run verify` do, and to have every function serve
 * it: by names and settings, and never an item of the table. No stage is called so that its names begin like another's.
 */
export const lookStatements = (stack: Stack, stageName: string): PolicyStatement[] => {
  const named = `${stackNameOf(stageName)}-*`;
  const may = (service: string, actions: readonly string[], ...resources: string[]) =>
    new PolicyStatement({ actions: actions.map((action) => `${service}:${action}`), resources });
  const separated = ArnFormat.COLON_RESOURCE_NAME;
  const colon = (service: string, resource: string, resourceName: string) =>
    stack.formatArn({ service, resource, resourceName, arnFormat: separated });
  return [
    may('cloudformation', ['GetTemplate', 'ListStackResources'], deployedStack(stack, stageName)),
    may('lambda', ['GetAccountSettings'], '*'),
    may('lambda', ['GetAlias', 'UpdateAlias'], colon('lambda', 'function', named)),
    may(
      'iam',
      ['SimulatePrincipalPolicy'],
      stack.formatArn({ service: 'iam', region: '', resource: 'role', resourceName: named }),
    ),
    may('logs', ['FilterLogEvents'], colon('logs', 'log-group', named)),
    may('cloudwatch', ['DescribeAlarms'], colon('cloudwatch', 'alarm', '*')),
    may('sns', ['ListSubscriptionsByTopic'], stack.formatArn({ service: 'sns', resource: named })),
    may(
      'dynamodb',
      ['DescribeTable', 'DescribeContinuousBackups', 'DescribeTimeToLive'],
      stack.formatArn({ service: 'dynamodb', resource: 'table', resourceName: named }),
    ),
  ];
};

/** To make test users and their tokens, and to take them away: what `npm run token -- --stage` and `npm run verify` do. */
export const testUserStatements = (stack: Stack, stageName: string): PolicyStatement[] => [
  new PolicyStatement({
    actions: [
      'AdminAddUserToGroup',
      'AdminCreateUser',
      'AdminDeleteUser',
      'AdminGetUser',
      'AdminInitiateAuth',
      'AdminRemoveUserFromGroup',
      'AdminSetUserPassword',
      'AdminUpdateUserAttributes',
      'CreateGroup',
      'DeleteGroup',
    ].map((action) => `cognito-idp:${action}`),
    resources: [
      stack.formatArn({ service: 'cognito-idp', resource: 'userpool', resourceName: '*' }),
    ],
    // Of this stage's pool only: the name of a pool is CloudFormation's.
    conditions: { StringEquals: { [`aws:ResourceTag/${stageTag}`]: stageName } },
  }),
];

const deployedStack = (stack: Stack, stageName: string) =>
  stack.formatArn({
    service: 'cloudformation',
    resource: 'stack',
    resourceName: `${stackNameOf(stageName)}/*`,
  });
