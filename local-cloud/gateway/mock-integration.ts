import * as v from 'valibot';
import { render } from 'velocityjs';
import { Problem } from '../../lib/problem.ts';
import type { GatewayContext } from './request/gateway-context.ts';
import { createInternalServerError, GatewayError } from './request/gateway-error.ts';
import { type GatewayReply, type GatewayRequest, getHeader } from './request/gateway-request.ts';
import { parseParameterMapping } from './request/parameter-mapping.ts';
import { withoutRelocation } from './request/relocate.ts';

export const MockIntegrationProperties = v.strictObject({
  Type: v.literal('MOCK'),
  PassthroughBehavior: v.optional(
    v.picklist(['WHEN_NO_MATCH', 'WHEN_NO_TEMPLATES', 'NEVER']),
    'WHEN_NO_MATCH',
  ),
  RequestTemplates: v.optional(v.record(v.string(), v.string()), {}),
  IntegrationResponses: v.optional(
    v.array(
      v.strictObject({
        StatusCode: v.pipe(v.string(), v.transform(Number)),
        SelectionPattern: v.optional(v.string()),
        ResponseParameters: v.optional(v.record(v.string(), v.string()), {}),
        ResponseTemplates: v.optional(v.record(v.string(), v.string()), {}),
      }),
    ),
    [],
  ),
});
type MockIntegration = v.InferOutput<typeof MockIntegrationProperties>;

export type MockHandler = (
  request: GatewayRequest,
  context: GatewayContext,
  pathParameters: Readonly<Record<string, string>>,
) => GatewayReply;

/** Answers from templates alone, without a backend. */
export function createMockIntegration(
  integration: MockIntegration,
  relocate = withoutRelocation,
): MockHandler {
  const responses = integration.IntegrationResponses.map((response) => ({
    ...response,
    pattern: response.SelectionPattern
      ? new RegExp(`^(?:${response.SelectionPattern})$`)
      : undefined,
    headers: Object.entries(response.ResponseParameters).map(
      ([target, expression]) =>
        [
          target.replace(/^method\.response\.header\./, ''),
          parseParameterMapping(expression, 'integration response'),
        ] as const,
    ),
  }));
  if (responses.length === 0) throw new Problem('The mock integration has no responses.');

  return (request, context, pathParameters) => {
    const renderTemplate = (text: string) =>
      render(text, templateVariables(request, context, pathParameters));
    const mockStatus = getMockStatus(integration, request, renderTemplate);
    const response =
      responses.find(({ pattern }) => pattern?.test(mockStatus)) ??
      responses.find(({ pattern }) => !pattern);
    if (!response) throw createInternalServerError();
    const [[mediaType, text] = ['application/json', '']] = Object.entries(
      response.ResponseTemplates,
    );
    return {
      status: response.StatusCode,
      headers: [
        ['Content-Type', mediaType],
        ...response.headers.flatMap(([name, mapping]): [string, string][] => {
          const value = mapping(context, request);
          return value === undefined ? [] : [[name, value]];
        }),
      ],
      body: renderTemplate(relocate(text)),
    };
  };
}

/**
 * Returns the status that the request template sets; the request's content type selects the
 * template.
 */
function getMockStatus(
  { PassthroughBehavior, RequestTemplates }: MockIntegration,
  request: GatewayRequest,
  renderTemplate: (text: string) => string,
): string {
  const contentType = (getHeader(request, 'content-type') ?? '')
    .split(';')[0]
    ?.trim()
    .toLowerCase();
  const text = RequestTemplates[contentType || 'application/json'];
  const passes =
    PassthroughBehavior === 'WHEN_NO_MATCH' ||
    (PassthroughBehavior === 'WHEN_NO_TEMPLATES' && Object.keys(RequestTemplates).length === 0);
  if (text === undefined && !passes) {
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'Unsupported Media Type');
  }
  const rendered = text === undefined ? request.body.toString() : renderTemplate(text);
  // Not JSON.parse: CDK's preflight template leaves the key unquoted, which the gateway accepts.
  const [, status] = /["']?statusCode["']?\s*:\s*(\d{3})\b/.exec(rendered) ?? [];
  if (!status) throw createInternalServerError();
  return status;
}

const templateVariables = (
  request: GatewayRequest,
  context: GatewayContext,
  pathParameters: Readonly<Record<string, string>>,
) => ({
  context,
  input: {
    body: request.body.toString(),
    params: (name: string) =>
      pathParameters[name] ??
      request.query.findLast(([candidate]) => candidate === name)?.[1] ??
      getHeader(request, name) ??
      '',
  },
  stageVariables: {},
});
