import { beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { initialContext } from '../../../../lib/local/gateway/gateway-context.ts';
import { gatewayResponses, type Refuse } from '../../../../lib/local/gateway/gateway-responses.ts';
import {
  defaultStatuses,
  Refusal,
  type ResponseType,
} from '../../../../lib/local/gateway/refusal.ts';
import { readStack } from '../../../../lib/local/stack.ts';
import { readAssembly } from '../../../../lib/local/synthesis.ts';
import { ErrorReply, errorCatalog } from '../../../../shared/contract/errors.ts';
import { env } from '../../../../shared/env.ts';
import { aRequest } from './small-api.ts';

const isResponseType = (name: string): name is ResponseType => Object.hasOwn(defaultStatuses, name);
const types = Object.keys(defaultStatuses).filter(isResponseType);

/** What these two say depends on what was refused: the status, and for the first the authorizer's reason. */
const statuses: Partial<Record<ResponseType, number>> = { DEFAULT_4XX: 431, DEFAULT_5XX: 502 };
const denied = { code: 'token_expired', message: 'The token has run out.' };

describe('Whatever the gateway refuses', () => {
  let refuse: Refuse;
  const complaints: string[] = [];
  beforeAll(async () => {
    const { stackName, template } = await readAssembly(env('TEST_ASSEMBLY'));
    refuse = gatewayResponses(readStack(stackName, template), (line) => complaints.push(line));
  });

  test.each(types)('%s has the one error shape, for browsers too', (type) => {
    const context = {
      ...initialContext(aRequest, { id: 'api', stage: 'dev' }),
      authorizer: denied,
    };
    const { status, headers, body } = refuse(
      new Refusal(type, 'the gateway’s own words', statuses[type]),
      context,
      aRequest,
    );
    const error = v.parse(ErrorReply, JSON.parse(String(body)));
    expect(error.request_id).toBe(aRequest.id);
    const { status: promised } = { ...errorCatalog }[v.parse(Code, error.code)];
    expect(status).toBe(statuses[type] ?? promised);
    expect(Object.fromEntries(headers)).toMatchObject({
      'Content-Type': 'application/json',
      'Request-Id': aRequest.id,
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'no-store',
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...(status === 429 && { 'Retry-After': expect.any(String) }),
    });
    expect(complaints).toEqual([]);
  });
});

const Code = v.custom<keyof typeof errorCatalog>(
  (code) => typeof code === 'string' && Object.hasOwn(errorCatalog, code),
);
