import { describe, expect, test } from '@jest/globals';
import { createRestApi } from '../../../local-cloud/gateway/rest-api.ts';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';
import { createApi, createAssembly, createFunction, methodProperties } from '../small-stack.ts';
import { failWith, folder } from './small-api.ts';

describe('a REST API is rejected if it has', () => {
  test.each([
    [
      'a function that the gateway may not invoke',
      {
        ...createApi({ 'GET /thing': methodProperties('One') }),
        ...createFunction(folder, 'One', ''),
        OnePermission: { Type: 'AWS::CDK::Metadata' },
      },
      'No permission of small-One allows',
    ],
    [
      'a mapping expression that a mock integration does not support',
      createApi({
        'GET /thing': {
          Integration: {
            Type: 'MOCK',
            PassthroughBehavior: 'NEVER',
            RequestTemplates: { 'application/json': '{ statusCode: 200 }' },
            IntegrationResponses: [
              {
                StatusCode: '200',
                ResponseParameters: {
                  'method.response.header.Origin': 'method.request.header.Origin',
                },
              },
            ],
          },
        },
      }),
      'cannot use the mapping expression method.request.header.Origin',
    ],
    [
      'an integration type that the local cloud does not support',
      createApi({
        'GET /thing': { Integration: { Type: 'HTTP_PROXY', Uri: 'https://example.com' } },
      }),
      'PaththingGET (AWS::ApiGateway::Method): the local cloud cannot read Integration.Type',
    ],
  ])('%s', (_, resources, message) => {
    const { template } = createAssembly(folder, resources);
    const invoke = async () => failWith('');
    expect(() => createRestApi(readStack('small', template), invoke, { log: () => {} })).toThrow(
      message,
    );
  });
});
