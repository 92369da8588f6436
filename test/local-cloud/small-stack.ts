import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Assembly, Template } from '../../lib/synthesis/template.ts';
import { arn } from '../../local-cloud/account.ts';

type Resources = Record<string, { Type: string; Properties?: Record<string, unknown> }>;

export const createAssembly = (directory: string, resources: Resources): Assembly => ({
  stackName: 'small',
  template: v.parse(Template, { Resources: resources }),
  directory,
});

export const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'local-cloud-'));

/**
 * Writes a function's code as an asset. Returns the function, its role, and the gateway's
 * permission to invoke the function.
 */
export function createFunction(
  directory: string,
  id: string,
  code: string,
  properties: Record<string, unknown> = {},
  statements: unknown[] = [],
): Resources {
  const hash = createHash('sha256').update(code).digest('hex');
  mkdirSync(join(directory, `asset.${hash}`), { recursive: true });
  writeFileSync(join(directory, `asset.${hash}`, 'index.js'), code);
  return {
    [id]: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Handler: 'index.handler',
        Role: { 'Fn::GetAtt': [`${id}Role`, 'Arn'] },
        Runtime: 'nodejs24.x',
        Code: { S3Bucket: 'assets', S3Key: `${hash}.zip` },
        ...properties,
      },
    },
    [`${id}Role`]: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {},
        Policies: [{ PolicyName: 'own', PolicyDocument: { Statement: statements } }],
      },
    },
    [`${id}Permission`]: {
      Type: 'AWS::Lambda::Permission',
      Properties: {
        Action: 'lambda:InvokeFunction',
        FunctionName: { Ref: id },
        Principal: 'apigateway.amazonaws.com',
      },
    },
  };
}

export const functionUri = (id: string) => ({
  'Fn::Sub': `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/\${${id}.Arn}/invocations`,
});

export const functionArn = (id: string) => arn('lambda', `function:small-${id}`);

const toRoot = { 'Fn::GetAtt': ['Api', 'RootResourceId'] };

/** Returns a REST API. The keys of `methods` have the form `GET /things/{id}`. */
export function createApi(methods: Record<string, Record<string, unknown>>): Resources {
  const resources: Resources = {
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'small' } },
    Stage: {
      Type: 'AWS::ApiGateway::Stage',
      Properties: { RestApiId: { Ref: 'Api' }, StageName: 'test' },
    },
  };
  for (const [route, properties] of Object.entries(methods)) {
    const [HttpMethod = '', path = ''] = route.split(' ');
    let parent: unknown = toRoot;
    let name = 'Path';
    for (const PathPart of path.split('/').filter(Boolean)) {
      name += PathPart.replace(/\W/g, (character) => `x${character.charCodeAt(0)}`);
      resources[name] = {
        Type: 'AWS::ApiGateway::Resource',
        Properties: { RestApiId: { Ref: 'Api' }, ParentId: parent, PathPart },
      };
      parent = { Ref: name };
    }
    resources[`${name}${HttpMethod}`] = {
      Type: 'AWS::ApiGateway::Method',
      Properties: {
        RestApiId: { Ref: 'Api' },
        ResourceId: parent,
        HttpMethod,
        AuthorizationType: 'NONE',
        ...properties,
      },
    };
  }
  return resources;
}

export const methodProperties = (id: string, integration: Record<string, unknown> = {}) => ({
  Integration: {
    Type: 'AWS_PROXY',
    IntegrationHttpMethod: 'POST',
    Uri: functionUri(id),
    ...integration,
  },
});

export const createTable = (id: string, properties: Record<string, unknown> = {}): Resources => ({
  [id]: {
    Type: 'AWS::DynamoDB::GlobalTable',
    Properties: {
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'other', AttributeType: 'S' },
      ],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byOther',
          KeySchema: [{ AttributeName: 'other', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      ...properties,
    },
  },
});
