import * as v from 'valibot';
import type { WebSocket } from 'ws';
import { parseChannelPattern } from './channel-path.ts';
import type { EventApi } from './event-api.ts';
import type { Hub, Subscriber } from './event-hub.ts';
import type { FindRefusal } from './lambda-authorizer.ts';

/** Frames that a client may send. */
const Frame = v.looseObject({ type: v.string(), id: v.optional(v.unknown()) });
const Id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9\-_+]{1,128}$/));
const Identified = v.looseObject({ id: Id });
const Subscribe = v.looseObject({ channel: v.string(), authorization: v.optional(v.unknown()) });

/** Milliseconds without `ka` after which a client should consider the connection dead. */
const connectionTimeoutMs = 300_000;
/** AppSync's maximum subscriptions per connection … */
const maxSubscriptions = 200;
/** … and lifetime of a connection in milliseconds. Its close code is not documented. */
const lifetimeMilliseconds = 24 * 60 * 60_000;
const lifetimeCloseCode = 1001;
/**
 * Subscriptions without a reply above which a connection gets a LimitExceededError. AppSync
 * documents no limit; some hundred at once were reported to exceed it.
 *
 * @see https://github.com/aws-amplify/aws-appsync-realtime-client-ios/issues/67
 */
const maxPendingSubscriptions = 100;

/**
 * Intercepts a frame of a client. May return a frame to answer instead, or null for no answer. In
 * either case the frame is not processed.
 */
export type OnFrame = (frame: ClientFrame) => object | null | undefined;
export type ClientFrame = v.InferOutput<typeof Frame>;

export interface ConnectionOptions {
  api: EventApi;
  hub: Hub;
  findRefusal: FindRefusal;
  onFrame: OnFrame;
  /** Authorization of the handshake; undefined if unreadable. */
  authorization: unknown;
  keepAliveMilliseconds: number;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * Serves a listener's connection: answers each frame, and ends its subscriptions when it closes.
 */
export function serveConnection(socket: WebSocket, options: ConnectionOptions): void {
  const { api, hub, findRefusal, authorization, keepAliveMilliseconds, now, onFrame } = options;
  const endsAt = now() + lifetimeMilliseconds;
  const subscriptions = new Map<string, Subscriber>();
  let state: 'new' | 'open' | 'refused' = 'new';
  let pending = 0;
  let heartbeat: NodeJS.Timeout | undefined;

  const send = (frame: object) => socket.send(JSON.stringify(frame));
  const refuse = (type: string, id: string | undefined, errorType: string, message: string) =>
    send({ type, ...(id !== undefined && { id }), errors: [{ errorType, message }] });

  const keepAlive = () => {
    if (now() < endsAt) send({ type: 'ka' });
    else socket.close(lifetimeCloseCode, 'A connection lasts at most 24 hours.');
  };

  const connect = async () => {
    if (state !== 'new') return;
    const refusal = await findRefusal('EVENT_CONNECT', authorization);
    if (refusal === undefined) {
      state = 'open';
      send({ type: 'connection_ack', connectionTimeoutMs });
      heartbeat = setInterval(keepAlive, keepAliveMilliseconds);
    } else {
      state = 'refused';
      refuse('connection_error', undefined, 'UnauthorizedException', refusal);
      socket.close(4401, 'Unauthorized');
    }
  };

  const subscribe = async (id: string, frame: unknown) => {
    const refuseSubscription = (errorType: string, message: string) =>
      refuse('subscribe_error', id, errorType, message);
    const { success, output } = v.safeParse(Subscribe, frame);
    const pattern = success ? parseChannelPattern(output.channel) : undefined;
    if (!success || !pattern)
      return refuseSubscription('BadRequestException', 'The channel is invalid.');
    if (!api.namespaces.has(pattern[0] ?? ''))
      return refuseSubscription('BadRequestException', 'The channel namespace does not exist.');
    if (subscriptions.has(id))
      return refuseSubscription('DuplicatedOperationError', 'A subscription with this id exists.');
    if (subscriptions.size === maxSubscriptions)
      return refuseSubscription(
        'MaxSubscriptionsReachedError',
        `At most ${maxSubscriptions} subscriptions per connection.`,
      );
    const subscriber: Subscriber = {
      pattern,
      onEvent: (event) => send({ type: 'data', id, event }),
      onFailure: (message) => refuse('broadcast_error', id, 'MessageProcessingError', message),
    };
    if (pending >= maxPendingSubscriptions)
      return refuse('error', undefined, 'LimitExceededError', 'Rate limit exceeded.');
    subscriptions.set(id, subscriber);
    pending += 1;
    const refusal = await findRefusal(
      'EVENT_SUBSCRIBE',
      output.authorization,
      output.channel,
    ).finally(() => {
      pending -= 1;
    });
    if (refusal !== undefined) {
      subscriptions.delete(id);
      return refuseSubscription('UnauthorizedException', refusal);
    }
    if (subscriptions.get(id) !== subscriber) return;
    hub.subscribers.add(subscriber);
    send({ type: 'subscribe_success', id });
  };

  const unsubscribe = (id: string) => {
    const subscriber = subscriptions.get(id);
    if (!subscriber) {
      refuse('unsubscribe_error', id, 'UnknownOperationError', 'The subscription does not exist.');
      return;
    }
    subscriptions.delete(id);
    hub.subscribers.delete(subscriber);
    send({ type: 'unsubscribe_success', id });
  };

  const answer = async (text: string) => {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Frame), text);
    if (!parsed.success)
      return refuse('error', undefined, 'BadRequestException', 'The frame is invalid.');
    const override = onFrame(parsed.output);
    if (override) send(override);
    if (override !== undefined) return;
    const { type } = parsed.output;
    if (type === 'connection_init') return connect();
    if (state !== 'open')
      return refuse('error', undefined, 'BadRequestException', 'Send connection_init first.');
    const { success, output } = v.safeParse(Identified, parsed.output);
    if (!success) return refuse('error', undefined, 'BadRequestException', 'The id is invalid.');
    const { id } = output;
    if (type === 'subscribe') return subscribe(id, parsed.output);
    if (type === 'unsubscribe') return unsubscribe(id);
    if (type === 'publish')
      return refuse('publish_error', id, 'UnauthorizedException', 'You are not authorized.');
    return refuse('error', id, 'UnsupportedOperation', `Unknown operation ${type}.`);
  };

  socket.on('message', (data) => {
    answer(String(data)).catch((error) => {
      // A failed write to a closed socket is ignored; any other error is a fault of the local
      // cloud.
      if (socket.readyState === socket.OPEN) socket.close(1011, String(error).slice(0, 100));
    });
  });
  socket.on('error', () => socket.terminate());
  socket.once('close', () => {
    clearInterval(heartbeat);
    for (const subscriber of subscriptions.values()) hub.subscribers.delete(subscriber);
    subscriptions.clear();
  });
}
