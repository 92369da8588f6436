import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

/** Behavior of the server: replies, hangs, or closes the connection before or during the reply. */
export type ServerBehavior =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  | 'hangs'
  | 'cuts'
  | 'cuts in the middle';

export interface ReceivedRequest {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
  /** Unix time in milliseconds. */
  at: number;
}

export interface FaultyServer {
  url: string;
  received: ReceivedRequest[];
  /**
   * Clears `received` and sets the behavior for each of the next requests. The last behavior also
   * applies to all later requests.
   */
  respondWith(...behaviors: ServerBehavior[]): void;
  close(): void;
}

export async function startFaultyServer(): Promise<FaultyServer> {
  const seen: ReceivedRequest[] = [];
  let behaviors: ServerBehavior[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: await text(request), at: Date.now() });
    const behavior = behaviors.length > 1 ? behaviors.shift() : behaviors[0];
    if (behavior === undefined || behavior === 'hangs') return;
    if (behavior === 'cuts') return request.socket.destroy();
    if (behavior === 'cuts in the middle') {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('{"id": "', () => request.socket.destroy());
      return;
    }
    const { status, headers: replied = {}, body } = behavior;
    response.writeHead(status, replied);
    response.end(
      body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    received: seen,
    respondWith: (...next) => {
      behaviors = next;
      seen.length = 0;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
