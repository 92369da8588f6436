import { randomBytes } from 'node:crypto';
import { accountId } from '../account.ts';
import { type ApiStage, formatRequestTime, getHostName } from './request/gateway-context.ts';
import { type GatewayRequest, getHeader, type Pairs } from './request/gateway-request.ts';

export interface Authorization {
  principalId: string;
  context: Readonly<Record<string, string>>;
}

export interface ProxyEventInput {
  request: GatewayRequest;
  api: ApiStage;
  /** Path in the API's definition, such as `/v1/messages/{message_id}`. */
  resourcePath: string;
  resourceId: string;
  pathParameters: Readonly<Record<string, string>>;
  authorization: Authorization | undefined;
}

/** Connection and transfer headers, which the gateway does not forward. */
const connectionHeaders = new Set(
  'connection content-length expect keep-alive proxy-authenticate proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/** Returns the event that the Lambda proxy integration of a REST API sends to its function. */
export function toProxyEvent(input: ProxyEventInput) {
  const { request, api, resourcePath, resourceId, pathParameters, authorization } = input;
  const headers = toForwardedHeaders(request);
  return {
    resource: resourcePath,
    path: request.path,
    httpMethod: request.method,
    headers: getLastValues(headers),
    multiValueHeaders: getAllValues(headers),
    queryStringParameters: toNullIfEmpty(getLastValues(request.query)),
    multiValueQueryStringParameters: toNullIfEmpty(getAllValues(request.query)),
    pathParameters: toNullIfEmpty(pathParameters),
    stageVariables: null,
    requestContext: {
      resourceId,
      ...(authorization && {
        authorizer: {
          ...authorization.context,
          principalId: authorization.principalId,
          integrationLatency: 0,
        },
      }),
      resourcePath,
      httpMethod: request.method,
      extendedRequestId: request.id,
      requestTime: formatRequestTime(request.receivedAt),
      path: request.path,
      accountId,
      protocol: 'HTTP/1.1',
      stage: api.stage,
      domainPrefix: getHostName(request).split('.')[0],
      requestTimeEpoch: request.receivedAt.getTime(),
      requestId: request.id,
      identity: {
        cognitoIdentityPoolId: null,
        accountId: null,
        cognitoIdentityId: null,
        caller: null,
        sourceIp: request.sourceIp,
        principalOrgId: null,
        accessKey: null,
        cognitoAuthenticationType: null,
        cognitoAuthenticationProvider: null,
        userArn: null,
        userAgent: getHeader(request, 'user-agent') ?? null,
        user: null,
      },
      domainName: getHostName(request),
      apiId: api.id,
    },
    body: request.body.length === 0 ? null : request.body.toString(),
    isBase64Encoded: false,
  };
}

function toForwardedHeaders(request: GatewayRequest): Pairs {
  const forwardedFor = getHeader(request, 'x-forwarded-for');
  const replaced = ['x-forwarded-for', 'x-forwarded-port', 'x-forwarded-proto'];
  return [
    ...request.headers.filter(([name]) => {
      const lowerCase = name.toLowerCase();
      return !connectionHeaders.has(lowerCase) && !replaced.includes(lowerCase);
    }),
    ['X-Amzn-Trace-Id', `Root=1-${formatTraceTime(request)}-${randomBytes(12).toString('hex')}`],
    ['X-Forwarded-For', [forwardedFor, request.sourceIp].filter(Boolean).join(', ')],
    ['X-Forwarded-Port', /:(\d+)$/.exec(getHeader(request, 'host') ?? '')?.[1] ?? '80'],
    ['X-Forwarded-Proto', 'http'],
  ];
}

const formatTraceTime = ({ receivedAt }: GatewayRequest) =>
  Math.floor(receivedAt.getTime() / 1000)
    .toString(16)
    .padStart(8, '0');

const getLastValues = (pairs: Pairs) => Object.fromEntries(pairs);

const getAllValues = (pairs: Pairs) =>
  Object.fromEntries(
    pairs.map(([name]) => [
      name,
      pairs.filter(([other]) => other === name).map(([, value]) => value),
    ]),
  );

const toNullIfEmpty = <Value>(values: Readonly<Record<string, Value>>) =>
  Object.keys(values).length === 0 ? null : values;
