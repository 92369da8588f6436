import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, jest, test } from '@jest/globals';
import { getServiceUrl } from '../../../shared/signing/service-url.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test.each(['eu-central-1', 'us-gov-west-1', 'cn-north-1', 'eusc-de-east-1'])(
  'The DynamoDB URL in %s equals the URL of AWS’s client',
  (region) => {
    const { AWS_ENDPOINT_URL_DYNAMODB: _, ...others } = process.env;
    jest.replaceProperty(process, 'env', { ...others, AWS_REGION: region });
    const { endpointProvider } = new DynamoDBClient({ region }).config;
    const { url } = endpointProvider({ Region: region });
    expect(getServiceUrl('dynamodb').href).toBe(url.href);
  },
);
