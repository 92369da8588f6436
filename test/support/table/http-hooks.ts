import { text } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { jest } from '@jest/globals';
import { HttpResponse } from '@smithy/core/transport';
import { client } from '../../../shared/table/calls/table-client.ts';
import { documentClient } from './document-client.ts';
import { createTableReply } from './table-reply.ts';

/** An HTTP request to the table; each retry is a separate request. */
export interface TableHttpCall {
  /** Name in DynamoDB's API, such as `PutItem`. */
  operation: string;
  body: string;
}

export interface TableHttpReply {
  status: number;
  body: string;
}

export type HttpInterceptor = (
  call: TableHttpCall,
  proceed: () => Promise<TableHttpReply>,
) => Promise<TableHttpReply>;

export interface HttpHook {
  /** Waits until no request is pending, then removes the hook. */
  remove(): Promise<void>;
}

/**
 * Intercepts HTTP requests between the clients and the engine, including retries. The clients do
 * not pause before retries, and AWS's client has its full retry quota.
 */
export function interceptHttp(act: HttpInterceptor): HttpHook {
  const pending = new Set<Promise<unknown>>();
  const intercept: HttpInterceptor = (call, proceed) => {
    const reply = act(call, proceed);
    pending.add(reply);
    return reply.finally(() => pending.delete(reply));
  };
  const random = jest.spyOn(Math, 'random').mockReturnValue(0);
  const restoreClient = interceptTransport(intercept);
  const restoreDocumentClient = interceptDocumentClient(intercept);
  return {
    remove: async () => {
      while (pending.size > 0) {
        await Promise.allSettled(pending);
        // Gives the callers of completed requests time to continue.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      restoreClient();
      restoreDocumentClient();
      random.mockRestore();
    },
  };
}

const toOperation = (target = ''): string => target.split('.')[1] ?? '';

function interceptTransport(act: HttpInterceptor): () => void {
  const { transport } = client;
  client.transport = async (request, signal) => {
    const operation = toOperation(request.headers['x-amz-target']);
    const { status, body } = await act({ operation, body: String(request.body) }, async () => {
      const reply = await transport(request, signal);
      return { status: reply.status, body: reply.body.toString() };
    });
    return createTableReply(status, body);
  };
  return () => {
    client.transport = transport;
  };
}

function interceptDocumentClient(act: HttpInterceptor): () => void {
  const { config } = documentClient;
  const { requestHandler, retryStrategy } = config;
  const send = requestHandler.handle.bind(requestHandler);
  config.retryStrategy = new DynamoDBClient().config.retryStrategy;
  const handle = jest.spyOn(requestHandler, 'handle').mockImplementation(async (request) => {
    const call = { operation: toOperation(request.headers['x-amz-target']), body: request.body };
    const { status, body } = await act(call, async () => {
      const { response } = await send(request);
      return { status: response.statusCode, body: await text(response.body) };
    });
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    return { response: new HttpResponse({ statusCode: status, headers, body: Buffer.from(body) }) };
  });
  return () => {
    handle.mockRestore();
    config.retryStrategy = retryStrategy;
  };
}

export async function recordHttpCalls(act: () => Promise<unknown>): Promise<TableHttpCall[]> {
  const calls: TableHttpCall[] = [];
  const hook = interceptHttp((call, proceed) => {
    calls.push(call);
    return proceed();
  });
  await act();
  await hook.remove();
  return calls;
}
