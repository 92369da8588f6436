import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { readAssembly, synthesize } from '../../lib/synthesis/synthesis.ts';
import type { Assembly } from '../../lib/synthesis/template.ts';
import { ErrorReply, errorCatalog } from '../../shared/contract/errors.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { env } from '../../shared/env.ts';

const rows: readonly Operation[] = operations;
const cache = join(import.meta.dirname, '../../.local/test/synthesis');

const Template = v.object({
  Resources: v.record(
    v.string(),
    v.looseObject({ Type: v.string(), Properties: v.record(v.string(), v.unknown()) }),
  ),
});
const resourcesOf = ({ directory, stackName }: Assembly) =>
  v.parse(Template, JSON.parse(readFileSync(join(directory, `${stackName}.template.json`), 'utf8')))
    .Resources;

const tags = [{ Key: 'messaging-stage', Value: 'dev' }];

let resources: ReturnType<typeof resourcesOf>;
const ofType = (type: string) =>
  Object.values(resources).flatMap((one) => (one.Type === type ? [one.Properties] : []));

beforeAll(async () => {
  resources = resourcesOf(await readAssembly(env('TEST_ASSEMBLY')));
});

describe('The table', () => {
  const index = (name: string, partition: string, sort: string) => ({
    IndexName: name,
    KeySchema: [
      { AttributeName: partition, KeyType: 'HASH' },
      { AttributeName: sort, KeyType: 'RANGE' },
    ],
    Projection: { ProjectionType: 'ALL' },
  });
  /** Attributes that no message changes: otherwise each send would write to the index. */
  const ofLists = {
    ProjectionType: 'INCLUDE',
    NonKeyAttributes: [
      ...['is_pinned', 'is_muted', 'archived_at', 'last_opened_at', 'is_named'],
      ...['created_by', 'contact_id', 'group_id'],
    ],
  };

  test('is on demand, encrypted, with stream, TTL, point-in-time recovery and its indexes', () => {
    expect(ofType('AWS::DynamoDB::GlobalTable')).toEqual([
      {
        AttributeDefinitions: ['pk', 'sk', 'gsi1pk', 'activity', 'gsi2pk', 'gsi3pk', 'gsi3sk'].map(
          (AttributeName) => ({ AttributeName, AttributeType: 'S' }),
        ),
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        GlobalSecondaryIndexes: [
          index('gsi1', 'gsi1pk', 'activity'),
          index('gsi2', 'gsi2pk', 'activity'),
          { ...index('gsi3', 'gsi3pk', 'gsi3sk'), Projection: ofLists },
        ],
        Replicas: [
          {
            Region: { Ref: 'AWS::Region' },
            DeletionProtectionEnabled: false,
            GlobalSecondaryIndexes: ['gsi1', 'gsi2', 'gsi3'].map((IndexName) => ({ IndexName })),
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
            Tags: tags,
          },
        ],
        SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
        StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
        TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
      },
    ]);
  });

  test('is retained and protected from deletion in prod only', async () => {
    const prod = Object.values(resourcesOf(await synthesize('prod', cache)));
    expect(prod.find(({ Type }) => Type === 'AWS::DynamoDB::GlobalTable')).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { Replicas: [{ DeletionProtectionEnabled: true }] },
    });
  });
});

describe('The functions', () => {
  test('are one per operation, the authorizers, the two workers and the reference, each on arm64 and Node 24, with tracing', () => {
    const functions = ofType('AWS::Lambda::Function');
    expect(functions.map(({ Description }) => Description).sort()).toEqual(
      [
        'Checks the bearer token',
        'Decides who may subscribe to which channel',
        'Empties the partitions of deleted conversations',
        'Appends changes to feeds and publishes them',
        'Serves the reference',
        ...rows.map((row) => `${row.method} ${row.path}: ${row.summary}`),
      ].sort(),
    );
    for (const one of functions) {
      expect(one).toMatchObject({
        Architectures: ['arm64'],
        Runtime: 'nodejs24.x',
        Handler: 'index.handler',
        TracingConfig: { Mode: 'Active' },
      });
    }
  });
});

const idOf = (prefix: string, type: string) =>
  Object.entries(resources).find(([id, { Type }]) => Type === type && id.startsWith(prefix))?.[0];
const arnOf = (id: string | undefined, attribute = 'Arn') => ({ 'Fn::GetAtt': [id, attribute] });
const mappingOf = (prefix: string) =>
  resources[idOf(prefix, 'AWS::Lambda::EventSourceMapping') ?? '']?.Properties;

test("The table's stream has two readers, the maximum", () => {
  expect(ofType('AWS::Lambda::EventSourceMapping')).toHaveLength(2);
});

describe('The live worker', () => {
  test('is invoked at once, bisects failed batches, retries for most of a day, and then keeps them in a queue', () => {
    expect(mappingOf('Live')).toMatchObject({
      BatchSize: 100,
      BisectBatchOnFunctionError: true,
      DestinationConfig: {
        OnFailure: { Destination: arnOf(idOf('LiveFailures', 'AWS::SQS::Queue')) },
      },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRecordAgeInSeconds: 23 * 60 * 60,
      StartingPosition: 'TRIM_HORIZON',
    });
    expect(mappingOf('Live')).not.toHaveProperty('MaximumRetryAttempts');
    expect(mappingOf('Live')).not.toHaveProperty('MaximumBatchingWindowInSeconds');
  });
});

describe('The purge worker', () => {
  test('is invoked a minute after tombstones and due feed maintenance; bisects failed batches, retries, and then keeps them in a queue', () => {
    const table = idOf('Table', 'AWS::DynamoDB::GlobalTable');
    const queue = idOf('PurgeFailures', 'AWS::SQS::Queue');
    expect(mappingOf('Purge')).toEqual({
      BatchSize: 100,
      BisectBatchOnFunctionError: true,
      DestinationConfig: { OnFailure: { Destination: arnOf(queue) } },
      EventSourceArn: arnOf(table, 'StreamArn'),
      FilterCriteria: {
        Filters: [
          {
            Pattern: JSON.stringify({
              dynamodb: {
                NewImage: { sk: { S: ['CONVERSATION'] }, deleted_at: { N: [{ exists: true }] } },
              },
            }),
          },
          {
            Pattern: JSON.stringify({
              eventName: ['REMOVE'],
              dynamodb: { Keys: { sk: { S: ['CHECK'] } } },
            }),
          },
        ],
      },
      FunctionName: expect.objectContaining({ 'Fn::Join': ['', [expect.anything(), ':live']] }),
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumBatchingWindowInSeconds: 60,
      MaximumRecordAgeInSeconds: 12 * 3600,
      MaximumRetryAttempts: 20,
      MetricsConfig: { Metrics: ['EventCount'] },
      StartingPosition: 'TRIM_HORIZON',
      Tags: tags,
    });
    const kept = { MessageRetentionPeriod: 14 * 24 * 3600, SqsManagedSseEnabled: true, Tags: tags };
    expect(ofType('AWS::SQS::Queue')).toEqual([kept, kept]);
  });
});

/** With names instead of CloudFormation tokens. */
const Joined = v.pipe(
  v.object({ 'Fn::Join': v.tuple([v.literal(''), v.array(v.unknown())]) }),
  v.transform((joined) =>
    joined['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : 'x')).join(''),
  ),
);

const isMock = (integration: unknown) => Object(integration).Type === 'MOCK';

describe('The gateway', () => {
  test('authorizes every operation, and nothing else', () => {
    const methods = ofType('AWS::ApiGateway::Method');
    const guarded = methods.filter(({ AuthorizationType }) => AuthorizationType === 'CUSTOM');
    expect(guarded.map(({ HttpMethod }) => HttpMethod).sort()).toEqual(
      rows.map(({ method }) => method).sort(),
    );
    for (const { AuthorizationType, HttpMethod, Integration } of methods) {
      if (AuthorizationType !== 'CUSTOM' && isMock(Integration))
        expect(HttpMethod).toMatch(/^(OPTIONS|ANY)$/);
    }
  });

  test('serves only the reference without authorization, by GET and HEAD', () => {
    const open = ofType('AWS::ApiGateway::Method').filter(
      ({ AuthorizationType, Integration }) =>
        AuthorizationType !== 'CUSTOM' && !isMock(Integration),
    );
    expect(open.map(({ HttpMethod }) => HttpMethod).sort()).toEqual([
      ...['GET', 'GET', 'GET', 'HEAD', 'HEAD', 'HEAD'],
    ]);
    expect(JSON.stringify(open)).not.toContain('response-streaming-invocations');
  });

  test('compresses text from 1 KiB', () => {
    expect(ofType('AWS::ApiGateway::RestApi')).toEqual([
      expect.objectContaining({ MinimumCompressionSize: 1024 }),
    ]);
    expect(ofType('AWS::ApiGateway::RestApi')).toEqual([
      expect.not.objectContaining({ BinaryMediaTypes: expect.anything() }),
    ]);
  });

  test("returns every refusal in the error shape, with the catalog's status", () => {
    const responses = ofType('AWS::ApiGateway::GatewayResponse');
    expect(responses).toHaveLength(21);
    for (const { ResponseTemplates, ResponseParameters, StatusCode } of responses) {
      const { 'application/json': template } = v.parse(
        v.object({ 'application/json': Joined }),
        ResponseTemplates,
      );
      const filled = template
        .replace('$context.error.messageString', '"the gateway’s words"')
        .replace('$context.authorizer.code', 'token_invalid');
      const { code } = v.parse(ErrorReply, JSON.parse(filled));
      const status = Object.entries(errorCatalog).find(([name]) => name === code)?.[1].status;
      if (StatusCode !== undefined && status) expect(StatusCode).toBe(String(status));
      expect(ResponseParameters).toMatchObject({
        'gatewayresponse.header.Request-Id': 'context.requestId',
        'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
      });
    }
  });
});
