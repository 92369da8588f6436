import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { jest } from '@jest/globals';
import { client } from '../../../shared/table/calls/client.ts';

/** One HTTP request to the table; each retry is another one. */
export interface TableHttpCall {
  /** Name in DynamoDB's API, such as `PutItem`. */
  operation: string;
  /** The request's body as JSON. */
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
  /** Removes the hook once no request is pending. */
  calm(): Promise<void>;
}

/**
 * Intercepts HTTP requests between the client, its retries included, and the engine. The client
 * starts with its full retry quota and does not pause.
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
      return { status: response.statusCode, body: String(response.body) };
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
        // Lets the callers of completed requests continue.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      handle.mockRestore();
      random.mockRestore();
      config.retryStrategy = attempt;
    },
  };
}

/** Returns the HTTP requests of a function without faults. */
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
