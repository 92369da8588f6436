import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { type GatewayContext, insertContext } from './request/gateway-context.ts';
import { GatewayError } from './request/gateway-error.ts';
import { type GatewayReply, type GatewayRequest, getHeader } from './request/gateway-request.ts';
import { parseParameterMapping } from './request/parameter-mapping.ts';
import type { Relocate } from './request/relocate.ts';

/** Templates may contain only text and `$context` variables. */
const Template = v.pipe(
  v.string(),
  v.check(
    (text) => !/\$(?!\{?context\.)|#(set|if|else|end|foreach)\b/.test(text),
    'only $context is supported in templates of a mock integration',
  ),
);

/** A mock integration must have exactly one response. */
export const MockIntegrationProperties = v.strictObject({
  Type: v.literal('MOCK'),
  PassthroughBehavior: v.literal('NEVER'),
  RequestTemplates: v.record(
    v.string(),
    v.pipe(v.string(), v.regex(/statusCode["']?\s*:\s*\d{3}\b/)),
  ),
  IntegrationResponses: v.strictTuple([
    v.strictObject({
      StatusCode: v.pipe(v.string(), v.transform(Number)),
      ResponseParameters: v.optional(v.record(v.string(), v.string()), {}),
      ResponseTemplates: v.optional(v.record(v.string(), Template), {}),
    }),
  ]),
});
type MockIntegration = v.InferOutput<typeof MockIntegrationProperties>;

export type MockHandler = (request: GatewayRequest, context: GatewayContext) => GatewayReply;

export function createMockIntegration(
  { RequestTemplates, IntegrationResponses: [response] }: MockIntegration,
  relocate: Relocate,
): MockHandler {
  const headers = Object.entries(response.ResponseParameters).map(
    ([target, expression]) =>
      [
        target.replace(/^method\.response\.header\./, ''),
        parseParameterMapping(expression, 'integration response'),
      ] as const,
  );
  const [[mediaType, template] = ['application/json', ''], ...others] = Object.entries(
    response.ResponseTemplates,
  );
  if (others.length > 0) throw new Problem('The mock integration has several response templates.');

  return (request, context) => {
    const [contentType = ''] = (getHeader(request, 'content-type') ?? '').split(';');
    if (!((contentType.trim().toLowerCase() || 'application/json') in RequestTemplates)) {
      throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'Unsupported Media Type');
    }
    return {
      status: response.StatusCode,
      headers: [
        ['Content-Type', mediaType],
        ...headers.flatMap(([name, mapping]): [string, string][] => {
          const value = mapping(context, request);
          return value === undefined ? [] : [[name, value]];
        }),
      ],
      body: insertContext(relocate(template), context),
    };
  };
}
