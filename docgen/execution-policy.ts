/**
 * Policy for a restricted CloudFormation execution role. It covers the resource types that any
 * stage may have. For types whose resources are named after their stack, it covers only the stacks
 * of this service.
 */

interface Statement {
  Action: readonly string[];
  Resource: readonly string[];
  Condition?: Record<string, Record<string, readonly string[]>>;
}

const prefix = 'messaging-*';
const arn = (service: string, ...resources: string[]) =>
  resources.map((resource) => `arn:*:${service}:*:*:${resource}`);
const everything = ['*'];
const all = (service: string, ...resources: string[]): Statement => ({
  Action: [`${service}:*`],
  Resource: resources.length > 0 ? arn(service, ...resources) : everything,
});
const actions = (service: string, names: string) =>
  names.split(' ').map((name) => `${service}:${name}`);

const apiGateway = [{ Action: ['apigateway:*'], Resource: ['arn:*:apigateway:*::/*'] }];
const appSync = [all('appsync')];
const cloudWatch = [
  all('cloudwatch', `alarm:${prefix}`),
  { Action: ['cloudwatch:*'], Resource: [`arn:*:cloudwatch::*:dashboard/${prefix}`] },
  { Action: ['cloudwatch:DescribeAlarms'], Resource: everything },
];
const codeDeploy = [
  all('codedeploy', `application:${prefix}`, `deploymentgroup:${prefix}`, 'deploymentconfig:*'),
];
const cognito = [all('cognito-idp')];
const lambda = [
  all('lambda', `function:${prefix}`),
  { Action: ['lambda:*EventSourceMapping*', 'lambda:*Tag*'], Resource: everything },
  // The functions' code is in the bucket of the CDK bootstrap.
  { Action: ['s3:GetObject'], Resource: ['arn:*:s3:::cdk-hnb659fds-assets-*'] },
];
const keys = [
  {
    // Excludes actions that encrypt or decrypt with keys.
    Action: actions(
      'kms',
      'CreateKey *Alias* DescribeKey DisableKey* EnableKey* Get* List* PutKeyPolicy ScheduleKeyDeletion CancelKeyDeletion TagResource UntagResource UpdateKeyDescription',
    ),
    Resource: everything,
  },
];
const buckets = [
  {
    // These actions apply to buckets, not to objects.
    Action: actions(
      's3',
      'CreateBucket DeleteBucket DeleteBucketPolicy GetBucket* PutBucket* *EncryptionConfiguration *LifecycleConfiguration',
    ),
    Resource: [`arn:*:s3:::${prefix}`],
  },
];
const networks = [
  {
    Action: actions(
      'ec2',
      'CreateVpc DeleteVpc ModifyVpcAttribute *VpcEndpoint* *Subnet* *RouteTable* *SecurityGroup* CreateTags DeleteTags Describe*',
    ),
    Resource: everything,
  },
];
const scans = [
  {
    Action: actions(
      'guardduty',
      'CreateMalwareProtectionPlan DeleteMalwareProtectionPlan GetMalwareProtectionPlan UpdateMalwareProtectionPlan ListMalwareProtectionPlans TagResource UntagResource ListTagsForResource',
    ),
    Resource: everything,
  },
];
const topics = [all('sns', prefix)];
const queues = [all('sqs', prefix)];
const firewall = [
  {
    Action: ['wafv2:*'],
    Resource: [
      ...arn('wafv2', 'regional/*'),
      'arn:*:apigateway:*::/restapis/*/stages/*',
      ...arn('appsync', 'apis/*'),
    ],
  },
];
const roles = [
  {
    Action: actions(
      'iam',
      'CreateRole DeleteRole GetRole UpdateRole UpdateRoleDescription UpdateAssumeRolePolicy PutRolePolicy DeleteRolePolicy GetRolePolicy ListRolePolicies ListAttachedRolePolicies TagRole UntagRole',
    ),
    Resource: [`arn:*:iam::*:role/${prefix}`],
  },
  {
    Action: actions('iam', 'AttachRolePolicy DetachRolePolicy'),
    Resource: [`arn:*:iam::*:role/${prefix}`],
    Condition: {
      ArnLike: {
        'iam:PolicyARN': [
          'AmazonAPIGatewayPushToCloudWatchLogs',
          'AWSCodeDeployRoleForLambdaLimited',
        ].map((name) => `arn:*:iam::aws:policy/service-role/${name}`),
      },
    },
  },
  {
    Action: ['iam:PassRole'],
    Resource: [`arn:*:iam::*:role/${prefix}`],
    Condition: {
      StringEquals: {
        'iam:PassedToService': [
          ...['apigateway', 'codedeploy', 'lambda'],
          'malware-protection-plan.guardduty',
        ].map((service) => `${service}.amazonaws.com`),
      },
    },
  },
];

/**
 * Permissions by resource type. A test compares the resource types with the templates of all
 * stages.
 */
export const permissionsByType: Readonly<Record<string, readonly Statement[]>> = {
  'AWS::ApiGateway::Account': apiGateway,
  'AWS::ApiGateway::Authorizer': apiGateway,
  'AWS::ApiGateway::BasePathMapping': apiGateway,
  'AWS::ApiGateway::Deployment': apiGateway,
  'AWS::ApiGateway::DomainName': apiGateway,
  'AWS::ApiGateway::GatewayResponse': apiGateway,
  'AWS::ApiGateway::Method': apiGateway,
  'AWS::ApiGateway::Resource': apiGateway,
  'AWS::ApiGateway::RestApi': apiGateway,
  'AWS::ApiGateway::Stage': apiGateway,
  'AWS::AppSync::Api': appSync,
  'AWS::AppSync::ChannelNamespace': appSync,
  'AWS::Budgets::Budget': [
    {
      Action: actions(
        'budgets',
        'ViewBudget ModifyBudget TagResource UntagResource ListTagsForResource',
      ),
      Resource: everything,
    },
  ],
  'AWS::CloudWatch::Alarm': cloudWatch,
  'AWS::CloudWatch::Dashboard': cloudWatch,
  'AWS::CodeDeploy::Application': codeDeploy,
  'AWS::CodeDeploy::DeploymentGroup': codeDeploy,
  'AWS::Cognito::UserPool': cognito,
  'AWS::Cognito::UserPoolClient': cognito,
  'AWS::DynamoDB::GlobalTable': [all('dynamodb', `table/${prefix}`)],
  'AWS::EC2::RouteTable': networks,
  'AWS::EC2::SecurityGroup': networks,
  'AWS::EC2::Subnet': networks,
  'AWS::EC2::SubnetRouteTableAssociation': networks,
  'AWS::EC2::VPC': networks,
  'AWS::EC2::VPCEndpoint': networks,
  'AWS::Events::EventBus': [all('events', `event-bus/${prefix}`)],
  'AWS::Events::Rule': [all('events', `rule/${prefix}`)],
  'AWS::GuardDuty::MalwareProtectionPlan': scans,
  'AWS::IAM::Role': roles,
  'AWS::KMS::Alias': keys,
  'AWS::KMS::Key': keys,
  'AWS::Lambda::Alias': lambda,
  'AWS::Lambda::EventSourceMapping': lambda,
  'AWS::Lambda::Function': lambda,
  'AWS::Lambda::Permission': lambda,
  'AWS::Lambda::Version': lambda,
  'AWS::Logs::LogGroup': [
    all('logs', `log-group:${prefix}`),
    { Action: ['logs:DescribeLogGroups'], Resource: everything },
  ],
  'AWS::SNS::Subscription': topics,
  'AWS::S3::Bucket': buckets,
  'AWS::S3::BucketPolicy': buckets,
  'AWS::SNS::Topic': topics,
  'AWS::SNS::TopicPolicy': topics,
  'AWS::SQS::Queue': queues,
  'AWS::SQS::QueuePolicy': queues,
  'AWS::WAFv2::WebACL': firewall,
  'AWS::WAFv2::WebACLAssociation': firewall,
  'AWS::XRay::SamplingRule': [
    {
      Action: actions(
        'xray',
        'CreateSamplingRule GetSamplingRules UpdateSamplingRule DeleteSamplingRule TagResource UntagResource ListTagsForResource',
      ),
      Resource: everything,
    },
  ],
};

/** Permission to read the version of the CDK bootstrap. */
const bootstrap: Statement = {
  Action: ['ssm:GetParameters'],
  Resource: arn('ssm', 'parameter/cdk-bootstrap/*'),
};

export function executionPolicy(): string {
  const statements = new Set([...Object.values(permissionsByType).flat(), bootstrap]);
  const policy = {
    Version: '2012-10-17',
    Statement: [...statements].map((statement) => ({ Effect: 'Allow', ...statement })),
  };
  return `${JSON.stringify(policy, undefined, 2)}\n`;
}
