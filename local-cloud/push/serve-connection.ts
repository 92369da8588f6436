import * as v from 'valibot';
import type { WebSocket } from 'ws';
import { parseChannelPattern } from './channel-path.ts';
import type { EventApi } from './event-api.ts';
import type { Hub, Subscriber } from './event-hub.ts';
import type { FindRefusal } from './lambda-authorizer.ts';

const Frame = v.looseObject({ type: v.string(), id: v.optional(v.unknown()) });
const Id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9\-_+]{1,128}$/));
const Identified = v.looseObject({ id: Id });
const Subscribe = v.looseObject({ channel: v.string(), authorization: v.optional(v.unknown()) });

/** Milliseconds without `ka` after which a client should consider the connection lost. */
const connectionTimeoutMs = 300_000;
/** AppSync's maximum number of subscriptions per connection. */
const maxSubscriptions = 200;
/** AppSync's maximum lifetime of a connection. AppSync does not document the close code. */
const lifetimeMilliseconds = 24 * 60 * 60_000;
const lifetimeCloseCode = 1001;
/**
 * Maximum number of unanswered subscriptions per connection; the next subscription gets a
 * LimitExceededError. AppSync documents no limit, but users report this error for a few hundred
 * concurrent subscriptions.
 *
 * @see https://github.com/aws-amplify/aws-appsync-realtime-client-ios/issues/67
 */
const maxPendingSubscriptions = 100;

/**
 * Intercepts a client's frame. Returns a frame to reply with, `null` to send no reply, or
 * `undefined` to let the server process the frame.
 */
export type OnFrame = (frame: ClientFrame) => object | null | undefined;
export type ClientFrame = v.InferOutput<typeof Frame>;

export interface ConnectionOptions {
  api: EventApi;
  hub: Hub;
  findRefusal: FindRefusal;
  onFrame: OnFrame;
  /** Authorization of the handshake; undefined if it is missing or not JSON. */
  authorization: unknown;
  keepAliveMilliseconds: number;
  /** Returns milliseconds since 1970. */
  now(): number;
}

interface Connection extends ConnectionOptions {
  readonly socket: WebSocket;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
  /** Subscriptions by the id that the client chose. */
  readonly subscriptions: Map<string, Subscriber>;
  state: 'new' | 'open' | 'refused';
  /** Number of unanswered subscriptions. */
  pending: number;
  heartbeat?: NodeJS.Timeout;
}

/**
 * Serves a listener's connection until it closes. If AWS's documentation does not specify a case,
 * such as a repeated id, behaves as AWS's client expects.
 */
export function serveConnection(socket: WebSocket, options: ConnectionOptions): void {
  const endsAt = options.now() + lifetimeMilliseconds;
  const subscriptions = new Map<string, Subscriber>();
  const connection: Connection = {
    ...options,
    ...{ socket, endsAt, subscriptions, state: 'new', pending: 0 },
  };
  socket.on('message', (data) => {
    handleFrame(connection, String(data)).catch((error) => {
      // Ignores a failed write to a closed socket. Any other error is a fault of the local cloud.
      if (socket.readyState === socket.OPEN) socket.close(1011, String(error).slice(0, 100));
    });
  });
  socket.on('error', () => socket.terminate());
  socket.once('close', () => {
    clearInterval(connection.heartbeat);
    for (const subscriber of subscriptions.values()) options.hub.subscribers.delete(subscriber);
    subscriptions.clear();
  });
}

const send = ({ socket }: Connection, frame: object): void => socket.send(JSON.stringify(frame));

interface Refusal {
  type: string;
  id?: string;
  errorType: string;
  message: string;
}

const refuse = (connection: Connection, { errorType, message, ...frame }: Refusal): void =>
  send(connection, { ...frame, errors: [{ errorType, message }] });

const refuseFrame = (connection: Connection, message: string): void =>
  refuse(connection, { type: 'error', errorType: 'BadRequestException', message });

async function handleFrame(connection: Connection, text: string): Promise<void> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Frame), text);
  if (!parsed.success) return refuseFrame(connection, 'The frame is invalid.');
  const override = connection.onFrame(parsed.output);
  if (override) send(connection, override);
  if (override !== undefined) return;
  const { type } = parsed.output;
  if (type === 'connection_init') return connect(connection);
  if (connection.state !== 'open') return refuseFrame(connection, 'Send connection_init first.');
  const { success, output } = v.safeParse(Identified, parsed.output);
  if (!success) return refuseFrame(connection, 'The id is invalid.');
  const { id } = output;
  if (type === 'subscribe') return subscribe(connection, id, parsed.output);
  if (type === 'unsubscribe') return unsubscribe(connection, id);
  const refusal =
    type === 'publish'
      ? { type: 'publish_error', errorType: 'UnauthorizedException' }
      : { type: 'error', errorType: 'UnsupportedOperation' };
  const message = type === 'publish' ? 'You are not authorized.' : `Unknown operation ${type}.`;
  refuse(connection, { ...refusal, id, message });
}

async function connect(connection: Connection): Promise<void> {
  const { socket, findRefusal, authorization, keepAliveMilliseconds } = connection;
  if (connection.state !== 'new') return;
  const refusal = await findRefusal('EVENT_CONNECT', authorization);
  if (refusal === undefined) {
    connection.state = 'open';
    send(connection, { type: 'connection_ack', connectionTimeoutMs });
    connection.heartbeat = setInterval(() => keepAlive(connection), keepAliveMilliseconds);
  } else {
    connection.state = 'refused';
    const errorType = 'UnauthorizedException';
    refuse(connection, { type: 'connection_error', errorType, message: refusal });
    socket.close(4401, 'Unauthorized');
  }
}

function keepAlive(connection: Connection): void {
  const { now, endsAt, socket } = connection;
  if (now() < endsAt) send(connection, { type: 'ka' });
  else socket.close(lifetimeCloseCode, 'A connection lasts at most 24 hours.');
}

async function subscribe(connection: Connection, id: string, frame: unknown): Promise<void> {
  const { hub, subscriptions } = connection;
  const refuseSubscription = (errorType: string, message: string) =>
    refuse(connection, { type: 'subscribe_error', id, errorType, message });
  const { success, output } = v.safeParse(Subscribe, frame);
  const pattern = success ? parseChannelPattern(output.channel) : undefined;
  if (!success || !pattern)
    return refuseSubscription('BadRequestException', 'The channel is invalid.');
  const limit = findExceededLimit(connection, id, pattern[0]);
  if (limit) return refuseSubscription(limit.errorType, limit.message);
  if (connection.pending >= maxPendingSubscriptions) {
    const message = 'Rate limit exceeded.';
    return refuse(connection, { type: 'error', errorType: 'LimitExceededError', message });
  }
  const subscriber: Subscriber = {
    pattern,
    onEvent: (event) => send(connection, { type: 'data', id, event }),
    onFailure: (message) =>
      refuse(connection, {
        ...{ type: 'broadcast_error', id, errorType: 'MessageProcessingError', message },
      }),
  };
  subscriptions.set(id, subscriber);
  const refusal = await findSubscriptionRefusal(connection, output);
  if (refusal !== undefined) {
    subscriptions.delete(id);
    return refuseSubscription('UnauthorizedException', refusal);
  }
  if (subscriptions.get(id) !== subscriber) return;
  hub.subscribers.add(subscriber);
  send(connection, { type: 'subscribe_success', id });
}

/** Returns the error for an unknown namespace, an id in use, or too many subscriptions. */
function findExceededLimit({ api, subscriptions }: Connection, id: string, namespace = '') {
  if (!api.namespaces.has(namespace)) {
    const message = 'The channel namespace does not exist.';
    return { errorType: 'BadRequestException', message };
  }
  if (subscriptions.has(id)) {
    const message = 'A subscription with this id exists.';
    return { errorType: 'DuplicatedOperationError', message };
  }
  if (subscriptions.size < maxSubscriptions) return undefined;
  const message = `The connection already has ${maxSubscriptions} subscriptions, the maximum.`;
  return { errorType: 'MaxSubscriptionsReachedError', message };
}

async function findSubscriptionRefusal(
  connection: Connection,
  { authorization, channel }: v.InferOutput<typeof Subscribe>,
): Promise<string | undefined> {
  connection.pending += 1;
  try {
    return await connection.findRefusal('EVENT_SUBSCRIBE', authorization, channel);
  } finally {
    connection.pending -= 1;
  }
}

function unsubscribe(connection: Connection, id: string): void {
  const { subscriptions, hub } = connection;
  const subscriber = subscriptions.get(id);
  if (!subscriber) {
    const [type, errorType] = ['unsubscribe_error', 'UnknownOperationError'];
    refuse(connection, { type, id, errorType, message: 'The subscription does not exist.' });
    return;
  }
  subscriptions.delete(id);
  hub.subscribers.delete(subscriber);
  send(connection, { type: 'unsubscribe_success', id });
}
