import { runSimulation } from '@cloud-copilot/iam-simulate';
import { describe, expect, test } from '@jest/globals';
import { executionPolicy, permissionsByType } from '../../docgen/execution-policy.ts';
import { getTemplate, prepareTemplates } from '../support/template/get-template.ts';
import { stageVariants } from '../support/template/stage-variants.ts';

const policy = JSON.parse(executionPolicy());
const accountId = '123456789012';

async function isAllowed(action: string, resource: string, context = {}): Promise<boolean> {
  const result = await runSimulation(
    {
      request: {
        principal: `arn:aws:iam::${accountId}:role/cdk-hnb659fds-cfn-exec-role`,
        action,
        resource: { resource, accountId },
        contextVariables: context,
      },
      identityPolicies: [{ name: 'policy', policy }],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
  if (result.resultType === 'error') throw new Error(JSON.stringify(result.errors));
  return result.overallResult === 'Allowed';
}

const of = (service: string, resource: string) =>
  `arn:aws:${service}:eu-central-1:${accountId}:${resource}`;
const role = `arn:aws:iam::${accountId}:role/messaging-prod-SendRole-1A2B`;

describe("The execution role's policy", () => {
  test('covers exactly the resource types of all stages and options', () => {
    prepareTemplates(stageVariants);
    const types = stageVariants.flatMap(([name, stage]) =>
      [
        ...JSON.stringify(getTemplate(name, stage).toJSON()).matchAll(/"Type":"(AWS::\w+::\w+)"/g),
      ].map(([, type]) => type),
    );
    expect([...new Set(types)].sort()).toEqual(Object.keys(permissionsByType).sort());
  });

  test('has at most 6,144 characters, the limit of a managed policy', () => {
    expect(JSON.stringify(policy).length).toBeLessThanOrEqual(6144);
  });

  test.each([
    ['apigateway:PATCH', 'arn:aws:apigateway:eu-central-1::/account'],
    ['appsync:CreateApi', '*'],
    ['budgets:ModifyBudget', `arn:aws:budgets::${accountId}:budget/any`],
    ['cloudwatch:PutMetricAlarm', of('cloudwatch', 'alarm:messaging-prod-LiveOff')],
    ['cloudwatch:PutDashboard', `arn:aws:cloudwatch::${accountId}:dashboard/messaging-prod-eu`],
    [
      'codedeploy:CreateDeployment',
      of('codedeploy', 'deploymentgroup:messaging-prod-A/messaging-prod-B'),
    ],
    ['cognito-idp:CreateUserPool', '*'],
    ['dynamodb:CreateTable', of('dynamodb', 'table/messaging-prod-Table')],
    ['ec2:CreateVpc', '*'],
    ['ec2:CreateVpcEndpoint', '*'],
    ['ec2:AuthorizeSecurityGroupEgress', '*'],
    ['events:CreateEventBus', of('events', 'event-bus/messaging-prod')],
    ['events:PutRule', of('events', 'rule/messaging-prod-Probe')],
    ['iam:CreateRole', role],
    ['kms:CreateKey', '*'],
    ['kms:CreateAlias', of('kms', 'alias/messaging-prod')],
    ['lambda:CreateFunction', of('lambda', 'function:messaging-prod-Send')],
    ['lambda:PutFunctionConcurrency', of('lambda', 'function:messaging-prod-ChannelAuthorizer')],
    ['lambda:CreateEventSourceMapping', '*'],
    ['logs:CreateLogGroup', of('logs', 'log-group:messaging-prod-SendLog')],
    ['s3:GetObject', 'arn:aws:s3:::cdk-hnb659fds-assets-1-eu/a.zip'],
    ['sns:CreateTopic', of('sns', 'messaging-prod-PageTopic')],
    ['sqs:CreateQueue', of('sqs', 'messaging-prod-LiveFailures')],
    ['ssm:GetParameters', of('ssm', 'parameter/cdk-bootstrap/hnb659fds/version')],
    ['wafv2:CreateWebACL', of('wafv2', 'regional/webacl/Firewall/1')],
    ['wafv2:AssociateWebACL', of('appsync', 'apis/a')],
    ['xray:CreateSamplingRule', of('xray', 'sampling-rule/messaging-prod')],
  ])('allows %s on %s', async (action, resource) => {
    expect(await isAllowed(action, resource)).toBe(true);
  });

  test.each([
    ['dynamodb:GetItem', of('dynamodb', 'table/others')],
    ['lambda:UpdateFunctionCode', of('lambda', 'function:others')],
    ['iam:CreateRole', `arn:aws:iam::${accountId}:role/others`],
    ['iam:CreateUser', `arn:aws:iam::${accountId}:user/messaging-prod`],
    ['kms:Decrypt', of('kms', 'key/1')],
    ['s3:GetObject', 'arn:aws:s3:::others/a'],
    ['ec2:RunInstances', '*'],
  ])('does not allow %s on %s', async (action, resource) => {
    expect(await isAllowed(action, resource)).toBe(false);
  });

  test("allows passing roles to Lambda but not EC2, and attaching CodeDeploy's policy but not AdministratorAccess", async () => {
    const passTo = (service: string) =>
      isAllowed('iam:PassRole', role, { 'iam:PassedToService': `${service}.amazonaws.com` });
    expect(await passTo('lambda')).toBe(true);
    expect(await passTo('ec2')).toBe(false);
    const attach = (name: string) =>
      isAllowed('iam:AttachRolePolicy', role, {
        'iam:PolicyARN': `arn:aws:iam::aws:policy/${name}`,
      });
    expect(await attach('service-role/AWSCodeDeployRoleForLambdaLimited')).toBe(true);
    expect(await attach('AdministratorAccess')).toBe(false);
  });
});
