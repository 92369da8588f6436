import { expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { RestApi } from 'aws-cdk-lib/aws-apigateway';
import * as v from 'valibot';
import { addNotFoundMethod } from '../../lib/constructs/api/not-found.ts';
import { getStage } from '../../lib/stages.ts';

const Method = v.object({
  Properties: v.object({
    Integration: v.object({
      IntegrationResponses: v.tuple([
        v.object({ ResponseParameters: v.record(v.string(), v.string()) }),
      ]),
    }),
  }),
});

test.each([
  ['any origin', ['*'], "'*'"],
  ['one origin', ['https://a.example'], "'https://a.example'"],
  [
    'any origin if the stage allows several, because a mock integration cannot select the origin',
    ['https://a.example', 'https://b.example'],
    "'*'",
  ],
])('The 404 reply to an unknown path allows %s', (_, allowedOrigins, allowedOrigin) => {
  const stack = new Stack(new App());
  const api = new RestApi(stack, 'Api');
  addNotFoundMethod(
    api.root,
    { ...getStage('dev'), allowedOrigins },
    'https://api.example.com/docs/errors',
  );
  const [method] = Object.values(
    Template.fromStack(stack).findResources('AWS::ApiGateway::Method'),
  );
  const [{ ResponseParameters }] = v.parse(Method, method).Properties.Integration
    .IntegrationResponses;
  expect(ResponseParameters['method.response.header.Access-Control-Allow-Origin']).toBe(
    allowedOrigin,
  );
  for (const mapped of Object.values(ResponseParameters)) {
    expect(mapped).toMatch(/^('.*'|context\.\w+)$/);
  }
});
