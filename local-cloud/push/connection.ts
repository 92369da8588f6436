import * as v from 'valibot';
import type { WebSocket } from 'ws';
import type { MayThey } from './authorizer.ts';
import { patternOf } from './channel.ts';
import type { EventApi } from './definition.ts';
import type { Hub, Subscriber } from './hub.ts';

/** Frames that a client may send. */
const Said = v.looseObject({ type: v.string() });
const Id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9\-_+]{1,128}$/));
const Identified = v.looseObject({ id: Id });
const Subscribe = v.looseObject({ channel: v.string(), authorization: v.optional(v.unknown()) });

/** Milliseconds without `ka` after which a client should consider the connection dead. */
const connectionTimeoutMs = 300_000;
/** AppSync's maximum subscriptions per connection … */
const maxSubscriptions = 200;
/** … and lifetime of a connection in milliseconds. Its close code is not documented. */
const lifetime = 24 * 60 * 60_000;
const lifetimeOver = 1001;

export interface ConnectionOptions {
  api: EventApi;
  hub: Hub;
  mayThey: MayThey;
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
  const { api, hub, mayThey, authorization, keepAliveMilliseconds, now } = options;
  const endsAt = now() + lifetime;
  const subscriptions = new Map<string, Subscriber>();
  let state: 'new' | 'open' | 'refused' = 'new';
  let heartbeat: NodeJS.Timeout | undefined;

  const tell = (frame: object) => socket.send(JSON.stringify(frame));
  const refuse = (type: string, id: string | undefined, errorType: string, message: string) =>
    tell({ type, ...(id !== undefined && { id }), errors: [{ errorType, message }] });

  const keepAlive = () => {
    if (now() < endsAt) tell({ type: 'ka' });
    else socket.close(lifetimeOver, 'A connection lasts at most 24 hours.');
  };

  const begin = async () => {
    if (state !== 'new') return;
    if (await mayThey('EVENT_CONNECT', authorization)) {
      state = 'open';
      tell({ type: 'connection_ack', connectionTimeoutMs });
      heartbeat = setInterval(keepAlive, keepAliveMilliseconds);
    } else {
      state = 'refused';
      refuse('connection_error', undefined, 'UnauthorizedException', 'You are not authorized.');
      socket.close(4401, 'Unauthorized');
    }
  };

  const subscribe = async (id: string, said: unknown) => {
    const no = (errorType: string, message: string) =>
      refuse('subscribe_error', id, errorType, message);
    const { success, output } = v.safeParse(Subscribe, said);
    const pattern = success ? patternOf(output.channel) : undefined;
    if (!success || !pattern) return no('BadRequestException', 'The channel is invalid.');
    if (!api.namespaces.has(pattern[0] ?? ''))
      return no('BadRequestException', 'The channel namespace does not exist.');
    if (subscriptions.has(id))
      return no('DuplicatedOperationError', 'A subscription with this id exists.');
    if (subscriptions.size === maxSubscriptions)
      return no(
        'MaxSubscriptionsReachedError',
        `At most ${maxSubscriptions} subscriptions per connection.`,
      );
    const subscriber: Subscriber = {
      pattern,
      hear: (event) => tell({ type: 'data', id, event }),
      onFailure: (message) => refuse('broadcast_error', id, 'MessageProcessingError', message),
    };
    subscriptions.set(id, subscriber);
    const may = await mayThey('EVENT_SUBSCRIBE', output.authorization, output.channel);
    if (!may) {
      subscriptions.delete(id);
      return no('UnauthorizedException', 'You are not authorized to subscribe to this channel.');
    }
    if (subscriptions.get(id) !== subscriber) return;
    hub.subscribers.add(subscriber);
    tell({ type: 'subscribe_success', id });
  };

  const unsubscribe = (id: string) => {
    const subscriber = subscriptions.get(id);
    if (!subscriber) {
      refuse('unsubscribe_error', id, 'UnknownOperationError', 'The subscription does not exist.');
      return;
    }
    subscriptions.delete(id);
    hub.subscribers.delete(subscriber);
    tell({ type: 'unsubscribe_success', id });
  };

  const answer = async (text: string) => {
    const said = v.safeParse(v.pipe(v.string(), v.parseJson(), Said), text);
    if (!said.success)
      return refuse('error', undefined, 'BadRequestException', 'The frame is invalid.');
    const { type } = said.output;
    if (type === 'connection_init') return begin();
    if (state !== 'open')
      return refuse('error', undefined, 'BadRequestException', 'Send connection_init first.');
    const { success, output } = v.safeParse(Identified, said.output);
    if (!success) return refuse('error', undefined, 'BadRequestException', 'The id is invalid.');
    const { id } = output;
    if (type === 'subscribe') return subscribe(id, said.output);
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
