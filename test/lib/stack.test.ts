import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { getStage } from '../../lib/stages.ts';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import { ErrorReply, errorCatalog } from '../../shared/contract/errors.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { env } from '../../shared/env.ts';
import { getTemplate } from '../support/template/get-template.ts';

const rows: readonly Operation[] = operations;

const Template = v.object({
  Resources: v.record(
    v.string(),
    v.looseObject({ Type: v.string(), Properties: v.record(v.string(), v.unknown()) }),
  ),
});

let resources: v.InferOutput<typeof Template>['Resources'];
const ofType = (type: string) =>
  Object.values(resources).flatMap((one) => (one.Type === type ? [one.Properties] : []));

beforeAll(async () => {
  const { directory, stackName } = await readAssembly(env('TEST_ASSEMBLY'));
  const text = readFileSync(join(directory, `${stackName}.template.json`), 'utf8');
  resources = v.parse(Template, JSON.parse(text)).Resources;
});

describe('The table', () => {
  test('is encrypted and has a stream, TTL and point-in-time recovery', () => {
    expect(ofType('AWS::DynamoDB::GlobalTable')).toMatchObject([
      {
        Replicas: [{ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
        SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
        StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
        TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
      },
    ]);
  });

  test('is retained and protected from deletion in prod', () => {
    getTemplate('prod', getStage('prod')).hasResource('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { Replicas: [Match.objectLike({ DeletionProtectionEnabled: true })] },
    });
  });
});

test("The table's stream has two readers, the maximum that DynamoDB recommends", () => {
  const sources = ofType('AWS::Lambda::EventSourceMapping').map((resource) =>
    JSON.stringify(resource),
  );
  expect(sources.filter((one) => one.includes('StreamArn'))).toHaveLength(2);
});

/** Joins the parts, with `x` in place of CloudFormation tokens. */
const Joined = v.pipe(
  v.object({ 'Fn::Join': v.tuple([v.literal(''), v.array(v.unknown())]) }),
  v.transform((joined) =>
    joined['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : 'x')).join(''),
  ),
);

const isMock = (integration: unknown) => Object(integration).Type === 'MOCK';

describe('The gateway', () => {
  test('authorizes the methods of all operations and no other methods', () => {
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

  test('runs functions without authorization only to GET or HEAD the reference', () => {
    const unauthenticated = ofType('AWS::ApiGateway::Method').filter(
      ({ AuthorizationType, Integration }) =>
        AuthorizationType !== 'CUSTOM' && !isMock(Integration),
    );
    expect(unauthenticated.map(({ HttpMethod }) => HttpMethod).sort()).toEqual([
      ...['GET', 'GET', 'GET', 'HEAD', 'HEAD', 'HEAD'],
    ]);
    expect(JSON.stringify(unauthenticated)).not.toContain('response-streaming-invocations');
  });

  test("returns its errors in the API's error format, with the status from the error catalog", () => {
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
