import { text } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { jest } from '@jest/globals';
import { client } from '../../../shared/table/calls/client.ts';

/** One request to the table on its way: what the client tries again comes by again. */
export interface TableHttpCall {
  /** As in DynamoDB's API: `PutItem`. */
  operation: string;
  /** The request's body, as JSON text. */
  body: string;
}

export interface TableHttpReply {
  status: number;
  body: string;
}

export type HttpInterceptor = (
  call: TableHttpCall,
  goOn: () => Promise<TableHttpReply>,
) => Promise<TableHttpReply>;

export interface HttpHook {
  /** Lets everything pass as it is again, once nothing is under way any more. */
  calm(): Promise<void>;
}

/**
 * Stands between the client, its own tries included, and the real engine. The client begins with its whole allowance of
 * tries, and makes its pauses none.
 */
export function interceptHttp(act: HttpInterceptor): HttpHook {
  const underWay = new Set<Promise<unknown>>();
  const { config } = client;
  const real = config.requestHandler.handle.bind(config.requestHandler);
  const attempt = config.retryStrategy;
  config.retryStrategy = new DynamoDBClient({
    maxAttempts: config.maxAttempts,
  }).config.retryStrategy;
  const random = jest.spyOn(Math, 'random').mockReturnValue(0);
  const handle = jest.spyOn(config.requestHandler, 'handle').mockImplementation(async (request) => {
    const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
    const answering = act({ operation, body: String(request.body) }, async () => {
      const { response } = await real(request);
      return { status: response.statusCode, body: await text(response.body) };
    });
    underWay.add(answering);
    const { status, body } = await answering.finally(() => underWay.delete(answering));
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    return { response: { statusCode: status, headers, body: Buffer.from(body) } };
  });
  return {
    calm: async () => {
      while (underWay.size > 0) {
        await Promise.allSettled(underWay);
        // For whoever waited for them, and may go on.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      handle.mockRestore();
      random.mockRestore();
      config.retryStrategy = attempt;
    },
  };
}

/** The requests that something makes when they all pass. */
export async function recordHttpCalls(act: () => Promise<unknown>): Promise<TableHttpCall[]> {
  const calls: TableHttpCall[] = [];
  const wire = interceptHttp((call, goOn) => {
    calls.push(call);
    return goOn();
  });
  await act();
  await wire.calm();
  return calls;
}
