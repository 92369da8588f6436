import type { Outcome } from '../../../local-cloud/functions/thread-protocol.ts';
import type {
  GatewayReply,
  GatewayRequest,
} from '../../../local-cloud/gateway/request/gateway-request.ts';
import { createRestApi } from '../../../local-cloud/gateway/rest-api.ts';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';
import { createAssembly, createFunction, temporaryFolder } from '../small-stack.ts';

type Resources = Parameters<typeof createAssembly>[1];

export const folder = temporaryFolder();

export const replyWith = (reply: unknown): Outcome => ({ ok: true, reply: JSON.stringify(reply) });
export const failWith = (errorMessage: string): Outcome => ({
  ok: false,
  failure: { errorType: 'Error', errorMessage },
});

interface TestApiOptions {
  resources: Resources;
  /** Implementations of the functions, by logical id. */
  functions?: Record<string, (event: unknown) => Outcome | Promise<Outcome>>;
}

/** Serves a stack's API. `events` lists the events that the functions received. */
export function createTestApi({ resources, functions = {} }: TestApiOptions) {
  const events: unknown[] = [];
  const logged: string[] = [];
  const bundles = Object.keys(functions).map((id) => createFunction(folder, id, ''));
  const { template } = createAssembly(folder, Object.assign({}, resources, ...bundles));
  const invoke = async (arn: string, event: unknown) => {
    events.push(event);
    const handler = functions[arn.split('small-')[1] ?? ''];
    return handler ? handler(event) : failWith('there is no such function');
  };
  const handleRequest = createRestApi(readStack('small', template), invoke, {
    log: (line) => logged.push(line),
  });
  const sendRequest = async (route: string, request: Partial<GatewayRequest> = {}) => {
    const [method = '', path = ''] = route.split(' ');
    return shown(await handleRequest({ ...sampleRequest, method, path, ...request }));
  };
  return { sendRequest, events, logged };
}

export const sampleRequest: GatewayRequest = {
  id: '7c0b3c1e-0000-4000-8000-000000000000',
  receivedAt: new Date('2026-01-02T03:04:05.678Z'),
  method: 'GET',
  path: '/',
  query: [],
  headers: [],
  headBytes: 100,
  body: Buffer.alloc(0),
  sourceIp: '127.0.0.1',
};

const shown = ({ status, headers, body }: GatewayReply) => ({
  status,
  headers: Object.fromEntries(headers),
  body: body.toString(),
});

export const json = { 'Content-Type': 'application/json' };
export const okOutcome = () => replyWith({ statusCode: 200, body: 'fine' });
export const okReply = { status: 200, headers: json, body: 'fine' };
