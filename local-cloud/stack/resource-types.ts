import { Problem } from '../../lib/problem.ts';
import type { Stack } from './read-stack.ts';

const supportedTypes = [
  'AWS::ApiGateway::Authorizer',
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Method',
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::AppSync::Api',
  'AWS::AppSync::ChannelNamespace',
  'AWS::DynamoDB::GlobalTable',
  'AWS::Events::EventBus',
  'AWS::Events::Rule',
  'AWS::GuardDuty::MalwareProtectionPlan',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KinesisFirehose::DeliveryStream',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Alias',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Version',
  'AWS::S3::Bucket',
  'AWS::S3::BucketPolicy',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
  'AWS::WAFv2::WebACL',
];

/** Resource types that the local cloud ignores, because they do not affect the API's behavior. */
const ignoredTypes = [
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::BasePathMapping',
  'AWS::ApiGateway::Deployment',
  'AWS::ApiGateway::DomainName',
  'AWS::Budgets::Budget',
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Cognito::UserPool',
  'AWS::Cognito::UserPoolClient',
  'AWS::Cognito::UserPoolGroup',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::EC2::RouteTable',
  'AWS::EC2::SecurityGroup',
  'AWS::EC2::Subnet',
  'AWS::EC2::SubnetRouteTableAssociation',
  'AWS::EC2::VPC',
  'AWS::EC2::VPCEndpoint',
  'AWS::KMS::Alias',
  'AWS::KMS::Key',
  'AWS::Logs::LogGroup',
  'AWS::Logs::LogStream',
  'AWS::Logs::MetricFilter',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::WAFv2::WebACLAssociation',
  'AWS::XRay::SamplingRule',
];

/** Throws a Problem if the stack has a resource type that is in neither list. */
export function requireKnownTypes({ types }: Stack): void {
  const known = new Set([...supportedTypes, ...ignoredTypes]);
  const unknown = [...types].filter((type) => !known.has(type));
  if (unknown.length === 0) return;
  throw new Problem(
    `Unknown resource type ${unknown.join(', ')}: add it to local-cloud/stack/resource-types.ts.`,
  );
}
