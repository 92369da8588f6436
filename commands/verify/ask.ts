import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { text } from 'node:stream/consumers';

export interface Asked {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface Answer {
  status: number;
  /** Headers by lowercase name; repeated headers are joined. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

const patienceMilliseconds = 40_000;

/**
 * Sends a request and returns any response, including errors sent before the body was complete and
 * the connection was closed.
 */
export const ask = (url: string, { method = 'GET', headers = {}, body }: Asked = {}) =>
  new Promise<Answer>((settle, fail) => {
    const open = url.startsWith('https:') ? tlsRequest : plainRequest;
    const length = body === undefined ? {} : { 'Content-Length': `${Buffer.byteLength(body)}` };
    const signal = AbortSignal.timeout(patienceMilliseconds);
    const sent = open(url, { method, headers: { ...headers, ...length }, signal, agent: false });
    let answered = false;
    sent.once('response', (response) => {
      answered = true;
      const said = Object.entries(response.headers).map(([name, value]) => [name, `${value}`]);
      text(response).then(
        (content) =>
          settle({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(said),
            body: content,
          }),
        fail,
      );
    });
    sent.on('error', (error) => {
      if (!answered) fail(error);
    });
    sent.end(body);
  });

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
