import { jest } from '@jest/globals';
import { client } from '../../../shared/table/calls/table-client.ts';
import type { HttpReply } from '../../../shared/table/calls/transport.ts';

/** One HTTP request to the table; each retry is another one. */
export interface TableHttpCall {
  /** Name in DynamoDB's API, such as `PutItem`. */
  operation: string;
  /** The request's body as JSON. */
  body: string;
}

export type HttpInterceptor = (
  call: TableHttpCall,
  goOn: () => Promise<HttpReply>,
) => Promise<HttpReply>;

export interface HttpHook {
  /** Removes the hook once no request is pending. */
  calm(): Promise<void>;
}

/**
 * Intercepts HTTP requests between the client and the engine, retries included. The client does
 * not pause before retries.
 */
export function interceptHttp(act: HttpInterceptor): HttpHook {
  const underWay = new Set<Promise<unknown>>();
  const { transport } = client;
  const random = jest.spyOn(Math, 'random').mockReturnValue(0);
  client.transport = (request) => {
    const [, operation = ''] = (request.headers['x-amz-target'] ?? '').split('.');
    const answering = act({ operation, body: request.body }, () => transport(request));
    underWay.add(answering);
    return answering.finally(() => underWay.delete(answering));
  };
  return {
    calm: async () => {
      while (underWay.size > 0) {
        await Promise.allSettled(underWay);
        // Lets the callers of completed requests continue.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      client.transport = transport;
      random.mockRestore();
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
