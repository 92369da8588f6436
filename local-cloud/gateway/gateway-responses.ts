import * as v from 'valibot';
import { messageOf } from '../../lib/problem.ts';
import type { Stack } from '../stack/stack.ts';
import { contextValue, type GatewayContext } from './gateway-context.ts';
import { defaultStatuses, type GatewayError, type ResponseType } from './gateway-error.ts';
import type { GatewayReply, GatewayRequest } from './gateway-request.ts';
import { type ParameterMapping, parameterMapping } from './parameter-mapping.ts';
import { type Relocate, unmoved } from './relocate.ts';

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

const plain: GatewayResponse = {
  status: undefined,
  headers: [],
  mediaType: 'application/json',
  template: '{"message":$context.error.messageString}',
};

/** Returns the reply for an error, from the API's gateway responses. */
export type ReplyToError = (
  error: GatewayError,
  context: GatewayContext,
  request: GatewayRequest,
) => GatewayReply;

export function gatewayResponses(
  stack: Stack,
  { here = unmoved, log }: { here?: Relocate; log: (line: string) => void },
): ReplyToError {
  const responses = new Map(
    stack
      .resources('AWS::ApiGateway::GatewayResponse', GatewayResponseProperties)
      .map(({ properties }) => [properties.ResponseType, gatewayResponse(properties)]),
  );
  return ({ type, status, words }, context, request) => {
    const fallback = status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
    const response = responses.get(type) ?? responses.get(fallback) ?? plain;
    const inContext: GatewayContext = {
      ...context,
      error: {
        message: words ?? '',
        messageString: JSON.stringify(words ?? null),
        responseType: type,
      },
    };
    const body = substituted(here(response.template), inContext);
    warnUnlessJson(type, response.mediaType, body, log);
    return {
      status: response.status ?? status,
      headers: [
        ['Content-Type', response.mediaType],
        ...response.headers.flatMap(([name, mapping]): [string, string][] => {
          const value = mapping(inContext, request);
          return value === undefined ? [] : [[name, value]];
        }),
      ],
      body,
    };
  };
}

function gatewayResponse(
  properties: v.InferOutput<typeof GatewayResponseProperties>,
): GatewayResponse {
  const [[mediaType, template] = [plain.mediaType, plain.template]] = Object.entries(
    properties.ResponseTemplates,
  );
  return {
    status: properties.StatusCode,
    headers: Object.entries(properties.ResponseParameters).map(([target, expression]) => [
      target.replace(/^gatewayresponse\.header\./, ''),
      parameterMapping(expression, 'gateway response'),
    ]),
    mediaType,
    template,
  };
}

/**
 * Templates of gateway responses contain only variables, inserted unquoted; unknown ones are empty.
 */
const substituted = (template: string, context: GatewayContext) =>
  template.replace(
    /\$context\.(\w+(?:\.\w+)*)|\$\{context\.(\w+(?:\.\w+)*)\}/g,
    (_, bare: string | undefined, braced: string | undefined) =>
      contextValue(context, bare ?? braced ?? '') ?? '',
  );

/** As on AWS, a value with a quotation mark breaks the document. */
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
    log(`gateway response ${type} is not JSON (${messageOf(error)}): ${body}`);
  }
}
