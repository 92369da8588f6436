import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Caller } from '../../../shared/caller.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import type { CallerContext } from '../../../shared/http/auth/caller-context.ts';

export interface Call {
  as: Caller;
  path?: Record<string, string>;
  query?: Record<string, string | string[]>;
  /** A string is sent unchanged, any other value as JSON. `headers` may set the content type. */
  body?: unknown;
  headers?: Record<string, string>;
  isBase64Encoded?: boolean;
  /** Expiry of the token in Unix seconds. */
  expiresAt?: number;
}

export function toGatewayEvent(operation: Operation, call: Call): APIGatewayProxyEvent {
  const query = Object.entries(call.query ?? {}).map(
    ([name, value]) => [name, [value].flat()] as const,
  );
  const path = Object.entries(call.path ?? {}).reduce(
    (address, [name, value]) => address.replace(`{${name}}`, encodeURIComponent(value)),
    operation.path as string,
  );
  const body =
    call.body === undefined || typeof call.body === 'string'
      ? call.body
      : JSON.stringify(call.body);
  const headers = {
    Host: 'api.example.com',
    'X-Forwarded-Proto': 'https',
    ...(call.body !== undefined && { 'Content-Type': 'application/json' }),
    ...call.headers,
  };
  return {
    resource: operation.path,
    path,
    httpMethod: operation.method,
    headers,
    multiValueHeaders: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    ),
    queryStringParameters:
      query.length > 0
        ? Object.fromEntries(query.map(([name, values]) => [name, values.at(-1)]))
        : null,
    multiValueQueryStringParameters: query.length > 0 ? Object.fromEntries(query) : null,
    pathParameters: call.path ?? null,
    stageVariables: null,
    body: body ?? null,
    isBase64Encoded: call.isBase64Encoded ?? false,
    requestContext: {
      accountId: '123456789012',
      apiId: 'api',
      authorizer: contextFor(call.as, call.expiresAt),
      httpMethod: operation.method,
      identity: { ...noIdentity, sourceIp: '127.0.0.1', userAgent: 'test' },
      path,
      protocol: 'HTTP/1.1',
      requestId: randomUUID(),
      requestTimeEpoch: Date.now(),
      resourceId: 'resource',
      resourcePath: operation.path,
      stage: 'dev',
    },
  };
}

const contextFor = (
  { id, groups, username, phone_number, avatar_url }: Caller,
  expiresAt = 4_000_000_000,
): CallerContext => ({
  contact_id: id,
  groups: JSON.stringify(groups),
  expires_at: String(expiresAt),
  ...(username !== null && { username }),
  ...(phone_number !== null && { phone_number }),
  ...(avatar_url !== null && { avatar_url }),
});

const noIdentity = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};
