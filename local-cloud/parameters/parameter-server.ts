import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as v from 'valibot';
import { toErrorMessage } from '../../lib/problem.ts';
import { arn } from '../account.ts';
import { listen } from '../listen.ts';
import { findSigner } from '../push/find-signer.ts';
import type { Callers } from '../stack/caller.ts';
import type { ParameterStore } from './parameter-store.ts';

const Name = v.object({ Name: v.pipe(v.string(), v.startsWith('/')) });
const Put = v.object({ ...Name.entries, Value: v.string(), Overwrite: v.optional(v.boolean()) });

export interface ParameterServer {
  endpoint: string;
  stop(): Promise<void>;
}

/** Serves the part of Parameter Store's API that webhooks use. */
export async function startParameterServer(
  store: ParameterStore,
  callers: () => Callers,
): Promise<ParameterServer> {
  const server = createServer((request, response) => {
    handleRequest(store, callers(), request).then(
      ({ status, body }) => send(response, status, body),
      (error) =>
        send(response, 400, { __type: 'ValidationException', message: toErrorMessage(error) }),
    );
  });
  const { port, close } = await listen(server, 0);
  return { endpoint: `http://127.0.0.1:${port}`, stop: close };
}

async function handleRequest(store: ParameterStore, callers: Callers, request: IncomingMessage) {
  const body = await buffer(request);
  const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
  const input: unknown = JSON.parse(body.toString());
  const { Name: name } = v.parse(Name, input);
  const caller = findSigner(request, body, { callers, service: 'ssm', now: Date.now() });
  if (caller?.decide(`ssm:${operation}`, arn('ssm', `parameter${name}`)) !== 'allow') {
    const message = `${caller?.session} is not authorized to perform: ssm:${operation} on ${name}`;
    return refuse('AccessDeniedException', message);
  }
  const found = store.get(name);
  if (operation === 'PutParameter') {
    const { Value, Overwrite } = v.parse(Put, input);
    if (found !== undefined && !Overwrite) return refuse('ParameterAlreadyExists', name);
    store.set(name, Value);
    return { status: 200, body: { Version: 1 } };
  }
  if (found === undefined) return refuse('ParameterNotFound', name);
  if (operation === 'GetParameter') {
    return { status: 200, body: { Parameter: { Name: name, Type: 'SecureString', Value: found } } };
  }
  if (operation !== 'DeleteParameter') return refuse('UnsupportedOperation', operation);
  store.delete(name);
  return { status: 200, body: {} };
}

const refuse = (__type: string, message: string) => ({ status: 400, body: { __type, message } });

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(body));
}
