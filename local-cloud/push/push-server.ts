import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { WebSocketServer } from 'ws';
import { toErrorMessage } from '../../lib/problem.ts';
import type { Outcome } from '../functions/thread-protocol.ts';
import { listen } from '../listen.ts';
import type { Callers } from '../stack/caller.ts';
import type { EventApi } from './event-api.ts';
import { createHub, type OnDelivery } from './event-hub.ts';
import { handlePublish, type PublishOptions } from './handle-publish.ts';
import { createLambdaAuthorizer } from './lambda-authorizer.ts';
import { type OnFrame, serveConnection } from './serve-connection.ts';

const protocol = 'aws-appsync-event-ws';
const maxFrameBytes = 240 * 1024;

export interface PushServerOptions {
  createApi: EventApi;
  callers: Callers;
  invoke(functionArn: string, event: unknown): Promise<Outcome>;
  /** Intercepts deliveries; by default, injects no faults. */
  onDelivery?: OnDelivery | undefined;
  /** Intercepts clients' frames; by default, injects no faults. */
  onFrame?: OnFrame | undefined;
  /**
   * Returns milliseconds since 1970, for signatures and connection lifetimes; `Date.now` by
   * default.
   */
  now?: () => number;
  /** Milliseconds between two `ka` frames; 60,000 by default. */
  keepAliveMilliseconds?: number;
}

export interface PushServer {
  /** Required `host` in a listener's authorization. */
  host: string;
  /** Environment variables with the addresses for publishing and listening. */
  variables: Readonly<Record<string, string>>;
  /** Closes all connections abruptly, as a network failure would. */
  dropConnections(): void;
  stop(): Promise<void>;
}

/** Starts an emulation of AppSync's Event API: WebSockets for listeners, HTTP for publishers. */
export async function startPushServer(options: PushServerOptions): Promise<PushServer> {
  const { createApi: api, callers, invoke, onDelivery = () => undefined, now = Date.now } = options;
  const { keepAliveMilliseconds = 60_000, onFrame = () => undefined } = options;
  const eventHub = createHub(onDelivery);
  const publishing: PublishOptions = { api, callers, hub: eventHub, now };
  const server = createServer((request, response) => {
    serve(request, response, publishing).catch((error) => {
      if (!response.headersSent) reply(response, 500, { message: toErrorMessage(error) });
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
  const dropConnections = () => {
    for (const socket of sockets.clients) socket.terminate();
  };
  return {
    host,
    variables: {
      PUSH_URL: `http://${host}/event`,
      LIVE_URL: `ws://${host}/event/realtime`,
      LIVE_HOST: host,
    },
    dropConnections,
    stop: async () => {
      sockets.close();
      dropConnections();
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
  const { status, body } = await handlePublish(request, publishing);
  reply(response, status, body);
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const getProtocols = ({ headers }: IncomingMessage): string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());

/**
 * Returns the JSON in the subprotocol `header-<base64url of JSON>`; `undefined` if the subprotocol
 * is missing or invalid.
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
