import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { text } from 'node:stream/consumers';

export interface RequestOptions {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface HttpResponse {
  status: number;
  /** Headers by lowercase name; repeated headers are joined. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

const timeoutMilliseconds = 40_000;

/**
 * Sends a request and returns any response, including an error that the server sends before it has
 * received the whole body.
 */
export const sendRequest = (
  url: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
) =>
  new Promise<HttpResponse>((resolve, reject) => {
    const request = url.startsWith('https:') ? tlsRequest : plainRequest;
    const length = body === undefined ? {} : { 'Content-Length': `${Buffer.byteLength(body)}` };
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const clientRequest = request(url, {
      method,
      headers: { ...headers, ...length },
      signal,
      agent: false,
    });
    let hasResponse = false;
    clientRequest.once('response', (response) => {
      hasResponse = true;
      const receivedHeaders = Object.entries(response.headers).map(([name, value]) => [
        name,
        `${value}`,
      ]);
      text(response).then(
        (content) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(receivedHeaders),
            body: content,
          }),
        reject,
      );
    });
    clientRequest.on('error', (error) => {
      if (!hasResponse) reject(error);
    });
    clientRequest.end(body);
  });

export const toBearer = (token: string) => ({ Authorization: `Bearer ${token}` });
