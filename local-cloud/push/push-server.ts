import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { WebSocketServer } from 'ws';
import { messageOf } from '../../lib/problem.ts';
import type { Outcome } from '../functions/thread-protocol.ts';
import { listen } from '../listen.ts';
import type { Callers } from '../stack/caller.ts';
import { answerPublish, type PublishOptions } from './answer-publish.ts';
import type { EventApi } from './event-api.ts';
import { createHub, type OnDelivery } from './event-hub.ts';
import { createLambdaAuthorizer } from './lambda-authorizer.ts';
import { type OnFrame, serveConnection } from './serve-connection.ts';

const protocol = 'aws-appsync-event-ws';
const maxFrameBytes = 240 * 1024;

export interface PushServerOptions {
  createApi: EventApi;
  callers: Callers;
  invoke(functionArn: string, event: unknown): Promise<Outcome>;
  /** Intercepts deliveries and may inject faults; by default, injects none. */
  onDelivery?: OnDelivery | undefined;
  /** Intercepts clients' frames and may inject faults; by default, injects none. */
  onFrame?: OnFrame | undefined;
  /**
   * Returns the time in milliseconds since 1970, to check signatures and connection lifetimes;
   * `Date.now` by default.
   */
  now?: () => number;
  /** Milliseconds between two `ka` frames; 60 000 by default. */
  keepAliveMilliseconds?: number;
}

export interface PushServer {
  /** Value that `host` must have in a listener's authorization. */
  host: string;
  /**
   * Environment variables that give the stack's functions the addresses for publishing and
   * listening.
   */
  variables: Readonly<Record<string, string>>;
  /** Closes all connections abruptly, as a network failure would. */
  dropConnections(): void;
  stop(): Promise<void>;
}

/** Runs AppSync's Event API on this machine: WebSockets for listeners, HTTP for publishers. */
export async function startPushServer(options: PushServerOptions): Promise<PushServer> {
  const { createApi: api, callers, invoke, onDelivery = () => undefined, now = Date.now } = options;
  const { keepAliveMilliseconds = 60_000, onFrame = () => undefined } = options;
  const eventHub = createHub(onDelivery);
  const publishing: PublishOptions = { api, callers, hub: eventHub, now };
  const server = createServer((request, response) => {
    serve(request, response, publishing).catch((error) => {
      if (!response.headersSent) reply(response, 500, { message: messageOf(error) });
    });
  });
  const { port, close } = await listen(server, 0);
  const host = `127.0.0.1:${port}`;
  const findRefusal = createLambdaAuthorizer({ api, host, invoke });

  const sockets = new WebSocketServer({
    server,
    path: '/event/realtime',
    maxPayload: maxFrameBytes,
    // Like AppSync, rejects clients that do not offer its subprotocol.
    handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
    verifyClient: ({ req }: { req: IncomingMessage }) => getProtocols(req).includes(protocol),
  });
  sockets.on('connection', (socket, request) => {
    const authorization = parseAuthorization(request);
    serveConnection(socket, {
      ...{ api, hub: eventHub, findRefusal, authorization, keepAliveMilliseconds, now, onFrame },
    });
  });
  const cut = () => {
    for (const socket of sockets.clients) socket.terminate();
  };
  return {
    host,
    variables: {
      PUSH_URL: `http://${host}/event`,
      LIVE_URL: `ws://${host}/event/realtime`,
      LIVE_HOST: host,
    },
    dropConnections: cut,
    stop: async () => {
      sockets.close();
      cut();
      await close();
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  publishing: PublishOptions,
): Promise<void> {
  if (request.method !== 'POST' || request.url !== '/event') {
    reply(response, 404, { errors: [{ errorType: 'NotFoundException', message: 'Not found' }] });
    return;
  }
  const { status, body } = await answerPublish(request, publishing);
  reply(response, status, body);
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const getProtocols = ({ headers }: IncomingMessage): string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());

/**
 * Parses the subprotocol `header-<base64url of JSON>`. Returns `undefined` if it is missing or
 * invalid.
 */
function parseAuthorization(request: IncomingMessage): unknown {
  const header = getProtocols(request).find((one) => one.startsWith('header-'));
  if (header === undefined) return undefined;
  try {
    return JSON.parse(Buffer.from(header.slice('header-'.length), 'base64url').toString());
  } catch {
    return undefined;
  }
}
