import { randomBytes } from 'node:crypto';
import { accountId } from '../account.ts';
import { type ApiStage, hostName, requestTime } from './gateway-context.ts';
import { type GatewayRequest, header, type Pairs } from './gateway-request.ts';

/** Caller and context from the authorizer. */
export interface Authorization {
  principalId: string;
  context: Readonly<Record<string, string>>;
}

export interface ProxyEventInput {
  request: GatewayRequest;
  api: ApiStage;
  /** `/v1/messages/{message_id}` */
  resourcePath: string;
  resourceId: string;
  pathParameters: Readonly<Record<string, string>>;
  authorization: Authorization | undefined;
  /** Reports whether the API treats bodies of this content type as binary. */
  binary: boolean;
}

/** Headers of the client's connection, which the gateway does not forward. */
const connectionHeaders = new Set(
  'connection content-length expect keep-alive proxy-authenticate proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/** Returns the event of a Lambda proxy integration of a REST API. */
export function proxyEvent(input: ProxyEventInput) {
  const { request, api, resourcePath, resourceId, pathParameters, authorization, binary } = input;
  const headers = passedHeaders(request);
  return {
    resource: resourcePath,
    path: request.path,
    httpMethod: request.method,
    headers: lastValues(headers),
    multiValueHeaders: allValues(headers),
    queryStringParameters: nullIfEmpty(lastValues(request.query)),
    multiValueQueryStringParameters: nullIfEmpty(allValues(request.query)),
    pathParameters: nullIfEmpty(pathParameters),
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
      requestTime: requestTime(request.receivedAt),
      path: request.path,
      accountId,
      protocol: 'HTTP/1.1',
      stage: api.stage,
      domainPrefix: hostName(request).split('.')[0],
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
        userAgent: header(request, 'user-agent') ?? null,
        user: null,
      },
      domainName: hostName(request),
      apiId: api.id,
    },
    body: request.body.length === 0 ? null : request.body.toString(binary ? 'base64' : 'utf8'),
    isBase64Encoded: binary && request.body.length > 0,
  };
}

function passedHeaders(request: GatewayRequest): Pairs {
  const forwardedFor = header(request, 'x-forwarded-for');
  const replaced = ['x-forwarded-for', 'x-forwarded-port', 'x-forwarded-proto'];
  return [
    ...request.headers.filter(([name]) => {
      const lowerCase = name.toLowerCase();
      return !connectionHeaders.has(lowerCase) && !replaced.includes(lowerCase);
    }),
    ['X-Amzn-Trace-Id', `Root=1-${traceTime(request)}-${randomBytes(12).toString('hex')}`],
    ['X-Forwarded-For', [forwardedFor, request.sourceIp].filter(Boolean).join(', ')],
    ['X-Forwarded-Port', /:(\d+)$/.exec(header(request, 'host') ?? '')?.[1] ?? '80'],
    ['X-Forwarded-Proto', 'http'],
  ];
}

const traceTime = ({ receivedAt }: GatewayRequest) =>
  Math.floor(receivedAt.getTime() / 1000)
    .toString(16)
    .padStart(8, '0');

const lastValues = (pairs: Pairs) => Object.fromEntries(pairs);

const allValues = (pairs: Pairs) =>
  Object.fromEntries(
    pairs.map(([name]) => [
      name,
      pairs.filter(([other]) => other === name).map(([, value]) => value),
    ]),
  );

const nullIfEmpty = <Value>(values: Readonly<Record<string, Value>>) =>
  Object.keys(values).length === 0 ? null : values;
