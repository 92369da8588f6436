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
  /** By name in small letters; of a repeated one, all in one. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

const patienceMilliseconds = 40_000;

/**
 * Asks, and gives whatever is answered, a refusal too: also one that comes, and closes the
 * connection, before all of the body was sent.
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
