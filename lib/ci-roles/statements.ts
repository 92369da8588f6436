import { ArnFormat, type Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { stageTag, toStackName } from '../stage-names.ts';

/** Default qualifier in the names of the roles that `cdk bootstrap` creates. */
const qualifier = 'hnb659fds';

/**
 * Returns the permissions for comparing a template with the deployed one. Excludes access to data,
 * change sets and the bootstrap roles.
 */
export const diffStatements = (stack: Stack, stageName: string): PolicyStatement[] => [
  new PolicyStatement({
    actions: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
    resources: [deployedStack(stack, stageName)],
  }),
];

/** Returns the permissions to deploy through the bootstrap roles and to read the stack's status. */
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
 * Returns the permissions that `npm run deploy` and `npm run verify` need to shift requests to new
 * code and to check the deployment. Excludes access to the table's items. Limits resources by name
 * prefix where possible, so the names of other stages must not begin with `stageName`.
 */
export const verifyStatements = (stack: Stack, stageName: string): PolicyStatement[] => {
  const namePattern = `${toStackName(stageName)}-*`;
  const allow = (service: string, actions: readonly string[], ...resources: string[]) =>
    new PolicyStatement({ actions: actions.map((action) => `${service}:${action}`), resources });
  const separated = ArnFormat.COLON_RESOURCE_NAME;
  const colon = (service: string, resource: string, resourceName: string) =>
    stack.formatArn({ service, resource, resourceName, arnFormat: separated });
  return [
    allow('cloudformation', ['GetTemplate', 'ListStackResources'], deployedStack(stack, stageName)),
    allow('lambda', ['GetAccountSettings'], '*'),
    allow('lambda', ['GetAlias', 'UpdateAlias'], colon('lambda', 'function', namePattern)),
    allow(
      'iam',
      ['SimulatePrincipalPolicy'],
      stack.formatArn({ service: 'iam', region: '', resource: 'role', resourceName: namePattern }),
    ),
    allow('logs', ['FilterLogEvents'], colon('logs', 'log-group', namePattern)),
    allow('cloudwatch', ['DescribeAlarms'], colon('cloudwatch', 'alarm', '*')),
    allow(
      'sns',
      ['ListSubscriptionsByTopic'],
      stack.formatArn({ service: 'sns', resource: namePattern }),
    ),
    allow(
      'dynamodb',
      ['DescribeTable', 'DescribeContinuousBackups', 'DescribeTimeToLive'],
      stack.formatArn({ service: 'dynamodb', resource: 'table', resourceName: namePattern }),
    ),
  ];
};

/**
 * Returns the permissions to create and delete test users and their groups, and to create tokens.
 */
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
    // Selects the stage's pool by tag, because the pool's ARN contains a generated id.
    conditions: { StringEquals: { [`aws:ResourceTag/${stageTag}`]: stageName } },
  }),
];

const deployedStack = (stack: Stack, stageName: string) =>
  stack.formatArn({
    service: 'cloudformation',
    resource: 'stack',
    resourceName: `${toStackName(stageName)}/*`,
  });
