import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { TemplateResource } from '../../lib/synthesis/template.ts';
import { accountId, arn, iamArn, partition, region } from '../account.ts';
import type { PhysicalResource } from './intrinsics.ts';

/** Label in the stream's ARN, constant here. */
const streamLabel = '2020-01-01T00:00:00.000';

/** Creates an id like API Gateway's: ten letters and digits, the same at every start. */
const toGatewayId = (logicalId: string) =>
  createHash('sha256').update(logicalId).digest('hex').slice(0, 10);

/**
 * Returns the name and ARN of a resource. They depend on the template only, so they are known
 * before the start and never change.
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

/** Named after a function of the stack. */
const versionTypes = ['AWS::Lambda::Version', 'AWS::Lambda::Alias'];
const VersionProperties = v.object({ FunctionName: v.object({ Ref: v.string() }) });

function toPhysicalResource(
  stackName: string,
  logicalId: string,
  { Type, Properties }: TemplateResource,
): PhysicalResource {
  const name = (property: string) => {
    const ownName = Properties[property];
    return typeof ownName === 'string' ? ownName : `${stackName}-${logicalId}`;
  };
  const withArn = (ref: string, resourceArn: string, attributes: Record<string, string> = {}) => ({
    ref,
    attributes: { Arn: resourceArn, ...attributes },
  });
  switch (Type) {
    case 'AWS::DynamoDB::GlobalTable': {
      const tableArn = arn('dynamodb', `table/${name('TableName')}`);
      return withArn(name('TableName'), tableArn, {
        StreamArn: `${tableArn}/stream/${streamLabel}`,
      });
    }
    case 'AWS::Lambda::Function':
      return withArn(name('FunctionName'), arn('lambda', `function:${name('FunctionName')}`));
    case 'AWS::IAM::Role':
      return withArn(name('RoleName'), iamArn(`role/${name('RoleName')}`));
    case 'AWS::Logs::LogGroup':
      return withArn(name('LogGroupName'), arn('logs', `log-group:${name('LogGroupName')}:*`));
    case 'AWS::SQS::Queue': {
      const queue = name('QueueName');
      const url = `https://sqs.${region}.amazonaws.com/${accountId}/${queue}`;
      return withArn(url, arn('sqs', queue), { QueueName: queue, QueueUrl: url });
    }
    case 'AWS::SNS::Topic': {
      const topicArn = arn('sns', name('TopicName'));
      return { ref: topicArn, attributes: { TopicArn: topicArn, TopicName: name('TopicName') } };
    }
    case 'AWS::Cognito::UserPool': {
      const id = `${region}_${toGatewayId(logicalId)}`;
      const provider = `cognito-idp.${region}.amazonaws.com/${id}`;
      return withArn(id, arn('cognito-idp', `userpool/${id}`), {
        ProviderName: provider,
        ProviderURL: `https://${provider}`,
        UserPoolId: id,
      });
    }
    case 'AWS::Cognito::UserPoolClient':
      return { ref: toGatewayId(logicalId), attributes: { ClientId: toGatewayId(logicalId) } };
    case 'AWS::Cognito::UserPoolGroup':
      return { ref: name('GroupName'), attributes: {} };
    case 'AWS::AppSync::Api': {
      // 26 characters, like AppSync's ids.
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
    }
    case 'AWS::ApiGateway::RestApi': {
      const id = toGatewayId(logicalId);
      return {
        ref: id,
        attributes: { RestApiId: id, RootResourceId: toGatewayId(`${logicalId}/`) },
      };
    }
    case 'AWS::ApiGateway::Resource':
      return { ref: toGatewayId(logicalId), attributes: { ResourceId: toGatewayId(logicalId) } };
    case 'AWS::ApiGateway::Authorizer':
      return { ref: toGatewayId(logicalId), attributes: { AuthorizerId: toGatewayId(logicalId) } };
    case 'AWS::ApiGateway::Stage':
      return { ref: name('StageName'), attributes: {} };
    default: {
      const service = Type.split('::')[1]?.toLowerCase() ?? 'unknown';
      return withArn(
        `${stackName}-${logicalId}`,
        `arn:${partition}:${service}:${region}:${accountId}:${logicalId}`,
      );
    }
  }
}
