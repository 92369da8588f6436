import {
  type IncomingMessage,
  Agent as PlainAgent,
  type RequestOptions,
  request as requestPlain,
} from 'node:http';
import { Agent, request as requestEncrypted } from 'node:https';

export interface HttpRequest {
  url: URL;
  headers: Record<string, string>;
  body: string;
}

export interface HttpReply {
  status: number;
  body: string;
}

/** Posts a request and returns the whole reply. */
export type Transport = (
  request: HttpRequest,
  signal?: AbortSignal | undefined,
) => Promise<HttpReply>;

const agentOptions = { keepAlive: true, maxSockets: 50 };

/**
 * Returns a transport that keeps connections open. Rejects with a TimeoutError if nothing arrives
 * for the given time, and with an AbortError when the signal aborts.
 */
export function createTransport(maxIdleMilliseconds: number): Transport {
  const agent = new Agent(agentOptions);
  let plainAgent: PlainAgent | undefined;
  const open = (url: URL, options: RequestOptions) => {
    if (url.protocol === 'https:') return requestEncrypted(url, { ...options, agent });
    plainAgent ??= new PlainAgent(agentOptions);
    return requestPlain(url, { ...options, agent: plainAgent });
  };
  return ({ url, headers, body }, signal) =>
    new Promise((resolve, reject) => {
      const request = open(url, { method: 'POST', headers });
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const fail = (error: Error) => {
        settle();
        request.destroy();
        reject(error);
      };
      const onAbort = () => fail(createError('AbortError', 'The call was aborted.'));
      const timer = setTimeout(
        () => fail(createError('TimeoutError', `No data within ${maxIdleMilliseconds} ms.`)),
        maxIdleMilliseconds,
      );
      request.on('error', fail).on('response', (reply: IncomingMessage) => {
        const chunks: Buffer[] = [];
        timer.refresh();
        reply.on('error', fail).on('data', (chunk: Buffer) => {
          timer.refresh();
          chunks.push(chunk);
        });
        reply.on('end', () => {
          settle();
          resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
        });
      });
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted) onAbort();
      else request.end(body);
    });
}

const createError = (name: string, message: string) => Object.assign(new Error(message), { name });
