import * as v from 'valibot';
import { toErrorMessage } from '../../lib/problem.ts';
import type { Stack } from '../stack/read-stack.ts';
import { type GatewayContext, insertContext } from './request/gateway-context.ts';
import { defaultStatuses, type GatewayError, type ResponseType } from './request/gateway-error.ts';
import type { GatewayReply, GatewayRequest } from './request/gateway-request.ts';
import { type ParameterMapping, parseParameterMapping } from './request/parameter-mapping.ts';
import { type Relocate, withoutRelocation } from './request/relocate.ts';

const GatewayResponseProperties = v.strictObject({
  ResponseType: v.custom<ResponseType>(
    (type) => typeof type === 'string' && Object.hasOwn(defaultStatuses, type),
    'unknown response type',
  ),
  RestApiId: v.string(),
  StatusCode: v.optional(v.pipe(v.string(), v.regex(/^\d{3}$/), v.transform(Number))),
  ResponseParameters: v.optional(v.record(v.string(), v.string()), {}),
  ResponseTemplates: v.optional(v.record(v.string(), v.string()), {}),
});

interface GatewayResponse {
  status: number | undefined;
  headers: [name: string, value: ParameterMapping][];
  mediaType: string;
  template: string;
}

const defaultResponse: GatewayResponse = {
  status: undefined,
  headers: [],
  mediaType: 'application/json',
  template: '{"message":$context.error.messageString}',
};

/** Creates the reply to an error, using the API's gateway responses. */
export type ReplyToError = (
  error: GatewayError,
  context: GatewayContext,
  request: GatewayRequest,
) => GatewayReply;

export function createErrorReplies(
  stack: Stack,
  { relocate = withoutRelocation, log }: { relocate?: Relocate; log: (line: string) => void },
): ReplyToError {
  const responses = new Map(
    stack
      .resources('AWS::ApiGateway::GatewayResponse', GatewayResponseProperties)
      .map(({ properties }) => [properties.ResponseType, toGatewayResponse(properties)]),
  );
  return ({ type, status, publicMessage }, context, request) => {
    const fallback = status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
    const response = responses.get(type) ?? responses.get(fallback) ?? defaultResponse;
    const errorContext: GatewayContext = {
      ...context,
      error: {
        message: publicMessage ?? '',
        messageString: JSON.stringify(publicMessage ?? null),
        responseType: type,
      },
    };
    const body = insertContext(relocate(response.template), errorContext);
    warnUnlessJson(type, response.mediaType, body, log);
    return {
      status: response.status ?? status,
      headers: [
        ['Content-Type', response.mediaType],
        ...response.headers.flatMap(([name, mapping]): [string, string][] => {
          const value = mapping(errorContext, request);
          return value === undefined ? [] : [[name, value]];
        }),
      ],
      body,
    };
  };
}

function toGatewayResponse(
  properties: v.InferOutput<typeof GatewayResponseProperties>,
): GatewayResponse {
  const [[mediaType, template] = [defaultResponse.mediaType, defaultResponse.template]] =
    Object.entries(properties.ResponseTemplates);
  return {
    status: properties.StatusCode,
    headers: Object.entries(properties.ResponseParameters).map(([target, expression]) => [
      target.replace(/^gatewayresponse\.header\./, ''),
      parseParameterMapping(expression, 'gateway response'),
    ]),
    mediaType,
    template,
  };
}

/** Warns if the body is not JSON. As on AWS, a quotation mark in a value makes the JSON invalid. */
function warnUnlessJson(
  type: string,
  mediaType: string,
  body: string,
  log: (line: string) => void,
) {
  if (mediaType !== 'application/json') return;
  try {
    JSON.parse(body);
  } catch (error) {
    log(`gateway response ${type} is not JSON (${toErrorMessage(error)}): ${body}`);
  }
}
