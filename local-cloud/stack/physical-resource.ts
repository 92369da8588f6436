import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { TemplateResource } from '../../lib/synthesis/template.ts';
import { accountId, arn, iamArn, partition, region } from '../account.ts';
import type { PhysicalResource } from './intrinsics.ts';

/** Label in the ARN of a stream; constant in the local cloud. */
const streamLabel = '2020-01-01T00:00:00.000';

/** Returns an id like API Gateway's: ten letters and digits, constant for each logical id. */
const toGatewayId = (logicalId: string) =>
  createHash('sha256').update(logicalId).digest('hex').slice(0, 10);

/**
 * Returns names and ARNs by logical id. They depend only on the template and the stack's name, so
 * they do not change between starts.
 */
export function toPhysicalResources(
  stackName: string,
  resources: Readonly<Record<string, TemplateResource>>,
): Map<string, PhysicalResource> {
  const physical = new Map(
    Object.entries(resources).map(([id, one]) => [id, toPhysicalResource(stackName, id, one)]),
  );
  for (const [id, { Type, Properties }] of Object.entries(resources)) {
    const qualifier = Type === 'AWS::Lambda::Version' ? '1' : Properties.Name;
    if (!versionTypes.includes(Type)) continue;
    const { FunctionName } = v.parse(VersionProperties, Properties);
    const functionArn = physical.get(FunctionName.Ref)?.attributes.Arn;
    physical.set(id, { ref: `${functionArn}:${qualifier}`, attributes: { Version: '1' } });
  }
  return physical;
}

/** Types whose `Ref` is a function's ARN with a version or alias as suffix. */
const versionTypes = ['AWS::Lambda::Version', 'AWS::Lambda::Alias'];
const VersionProperties = v.object({ FunctionName: v.object({ Ref: v.string() }) });

function toPhysicalResource(
  stackName: string,
  logicalId: string,
  { Type, Properties }: TemplateResource,
): PhysicalResource {
  const getName = (property: string) => {
    const ownName = Properties[property];
    return typeof ownName === 'string' ? ownName : `${stackName}-${logicalId}`;
  };
  const convert = converters[Type];
  if (convert) return convert({ logicalId, getName });
  const service = Type.split('::')[1]?.toLowerCase() ?? 'unknown';
  const resourceArn = `arn:${partition}:${service}:${region}:${accountId}:${logicalId}`;
  return withArn(`${stackName}-${logicalId}`, resourceArn);
}

interface NamedResource {
  logicalId: string;
  /** Returns the property; by default, the stack's name followed by the logical id. */
  getName(property: string): string;
}

const withArn = (ref: string, resourceArn: string, attributes: Record<string, string> = {}) => ({
  ref,
  attributes: { Arn: resourceArn, ...attributes },
});

/** Returns a converter for resources whose generated id is both the `Ref` and `attribute`. */
const withGatewayId =
  (attribute: string) =>
  ({ logicalId }: NamedResource): PhysicalResource => {
    const id = toGatewayId(logicalId);
    return { ref: id, attributes: { [attribute]: id } };
  };

const converters: Record<string, (resource: NamedResource) => PhysicalResource> = {
  'AWS::DynamoDB::GlobalTable': ({ getName }) => {
    const name = getName('TableName');
    const tableArn = arn('dynamodb', `table/${name}`);
    return withArn(name, tableArn, { StreamArn: `${tableArn}/stream/${streamLabel}` });
  },
  'AWS::Events::EventBus': ({ getName }) => {
    const name = getName('Name');
    return withArn(name, arn('events', `event-bus/${name}`), { Name: name });
  },
  'AWS::Lambda::Function': ({ getName }) => {
    const name = getName('FunctionName');
    return withArn(name, arn('lambda', `function:${name}`));
  },
  'AWS::IAM::Role': ({ getName }) => {
    const name = getName('RoleName');
    return withArn(name, iamArn(`role/${name}`));
  },
  'AWS::Logs::LogGroup': ({ getName }) => {
    const name = getName('LogGroupName');
    return withArn(name, arn('logs', `log-group:${name}:*`));
  },
  'AWS::SQS::Queue': ({ getName }) => {
    const name = getName('QueueName');
    const url = `https://sqs.${region}.amazonaws.com/${accountId}/${name}`;
    return withArn(url, arn('sqs', name), { QueueName: name, QueueUrl: url });
  },
  'AWS::S3::Bucket': ({ getName }) => {
    const name = getName('BucketName').toLowerCase();
    return withArn(name, `arn:${partition}:s3:::${name}`, {
      DomainName: `${name}.s3.amazonaws.com`,
      RegionalDomainName: `${name}.s3.${region}.amazonaws.com`,
    });
  },
  'AWS::EC2::SecurityGroup': ({ logicalId }) => ({
    ref: logicalId,
    attributes: { GroupId: logicalId },
  }),
  'AWS::SNS::Topic': ({ getName }) => {
    const name = getName('TopicName');
    const topicArn = arn('sns', name);
    return { ref: topicArn, attributes: { TopicArn: topicArn, TopicName: name } };
  },
  'AWS::Cognito::UserPool': ({ logicalId }) => {
    const id = `${region}_${toGatewayId(logicalId)}`;
    const provider = `cognito-idp.${region}.amazonaws.com/${id}`;
    return withArn(id, arn('cognito-idp', `userpool/${id}`), {
      ProviderName: provider,
      ProviderURL: `https://${provider}`,
      UserPoolId: id,
    });
  },
  'AWS::Cognito::UserPoolClient': withGatewayId('ClientId'),
  'AWS::Cognito::UserPoolGroup': ({ getName }) => ({ ref: getName('GroupName'), attributes: {} }),
  'AWS::AppSync::Api': ({ logicalId }) => {
    // AppSync's ids also have 26 characters.
    const id = createHash('sha256').update(logicalId).digest('hex').slice(0, 26);
    const apiArn = arn('appsync', `apis/${id}`);
    return {
      ref: apiArn,
      attributes: {
        ApiArn: apiArn,
        ApiId: id,
        'Dns.Http': `${id}.appsync-api.${region}.amazonaws.com`,
        'Dns.Realtime': `${id}.appsync-realtime-api.${region}.amazonaws.com`,
      },
    };
  },
  'AWS::ApiGateway::RestApi': ({ logicalId }) => {
    const id = toGatewayId(logicalId);
    const root = toGatewayId(`${logicalId}/`);
    return { ref: id, attributes: { RestApiId: id, RootResourceId: root } };
  },
  'AWS::ApiGateway::Resource': withGatewayId('ResourceId'),
  'AWS::ApiGateway::Authorizer': withGatewayId('AuthorizerId'),
  'AWS::ApiGateway::Stage': ({ getName }) => ({ ref: getName('StageName'), attributes: {} }),
};
