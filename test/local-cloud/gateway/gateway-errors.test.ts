import { beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { Template } from '../../../lib/synthesis/template.ts';
import {
  createErrorReplies,
  type ReplyToError,
} from '../../../local-cloud/gateway/gateway-responses.ts';
import { createContext } from '../../../local-cloud/gateway/request/gateway-context.ts';
import {
  defaultStatuses,
  GatewayError,
  type ResponseType,
} from '../../../local-cloud/gateway/request/gateway-error.ts';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';
import {
  ErrorReply,
  errorCatalog,
  getStatuses,
  retryAfterSeconds,
  toDocumentationUrl,
} from '../../../shared/contract/errors.ts';
import { fixedHeaders } from '../../../shared/contract/headers.ts';
import { getTemplate } from '../../support/template/get-template.ts';
import { getVariant } from '../../support/template/stage-variants.ts';
import { sampleRequest } from './small-api.ts';

const isResponseType = (name: string): name is ResponseType => Object.hasOwn(defaultStatuses, name);
const types = Object.keys(defaultStatuses).filter(isResponseType);

/**
 * Example statuses for the two default response types, which return the status of the gateway's
 * error. DEFAULT_4XX also returns the error's message.
 */
const statuses: Partial<Record<ResponseType, number>> = { DEFAULT_4XX: 431, DEFAULT_5XX: 502 };
const denied = { code: 'token_expired', message: 'The token has expired.' };

const toLocalUrls = (text: string) =>
  text.replace(
    /https:\/\/\w{10}\.execute-api\.us-east-1\.amazonaws\.com\/[\w-]+\//,
    'http://here/',
  );

const origin = 'https://admin.example.org';
const request = { ...sampleRequest, headers: [['origin', origin] as const] };

describe.each([
  ['any origin', 'dev', ['*'], '*'],
  ['one origin', 'prod', ['https://app.example.com'], 'https://app.example.com'],
  ['several origins', 'dev-allowedOrigins', ['https://app.example.org', origin], origin],
])('On a stage that allows %s, the gateway error', (_, variant, allowedOrigins, allowed) => {
  let replyToError: ReplyToError;
  const logged: string[] = [];
  beforeAll(() => {
    const [name, stage] = getVariant(variant);
    expect(stage.allowedOrigins).toEqual(allowedOrigins);
    const template = v.parse(Template, getTemplate(name, stage).toJSON());
    const parameters = Object.keys(template.Parameters).map((name) => [name, 'any']);
    const resources = readStack('messaging', template, Object.fromEntries(parameters));
    replyToError = createErrorReplies(resources, {
      relocate: toLocalUrls,
      log: (line) => logged.push(line),
    });
  });

  test.each(types)('%s has the API’s error format and CORS headers', (type) => {
    const context = {
      ...createContext(request, { id: 'api', stage: 'dev' }),
      authorizer: denied,
    };
    for (const words of ['the gateway’s own words', 'words with "quotation" \\ marks\n']) {
      const { status, headers, body } = replyToError(
        new GatewayError(type, words, statuses[type]),
        context,
        request,
      );
      const error = v.parse(ErrorReply, JSON.parse(String(body)));
      const promised = getStatuses(v.parse(Code, error.code));
      expect(promised).toContain(status);
      expect(status).toBe(statuses[type] ?? promised[0]);
      expect(error).toEqual({
        type: status < 500 ? 'invalid_request' : 'api_error',
        code: error.code,
        message: type === 'DEFAULT_4XX' ? words : expect.not.stringContaining('words'),
        param: null,
        request_id: request.id,
        documentation_url: toDocumentationUrl('http://here/docs/errors', error.code),
      });
      const wait = retryAfterSeconds[v.parse(Code, error.code)];
      expect(Object.fromEntries(headers)).toEqual({
        'Content-Type': 'application/json',
        ...fixedHeaders,
        'Request-Id': request.id,
        'Access-Control-Allow-Origin': allowed,
        ...(allowedOrigins.length > 1 && { Vary: 'Origin' }),
        ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
        ...(wait !== undefined && { 'Retry-After': String(wait) }),
      });
    }
    expect(logged).toEqual([]);
  });

  test.each(['AUTHORIZER_CONFIGURATION_ERROR', 'AUTHORIZER_FAILURE'] as const)(
    '%s without a gateway message returns 503 with Retry-After',
    (type) => {
      const { status, headers, body } = replyToError(
        new GatewayError(type, undefined),
        createContext(request, { id: 'api', stage: 'dev' }),
        request,
      );
      expect([status, Object.fromEntries(headers)['Retry-After']]).toEqual([503, '1']);
      expect(v.parse(ErrorReply, JSON.parse(String(body))).code).toBe('unavailable');
    },
  );
});

const Code = v.custom<keyof typeof errorCatalog>(
  (code) => typeof code === 'string' && Object.hasOwn(errorCatalog, code),
);
