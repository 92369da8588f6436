import type { Fetch, PutFile, Socket, SocketConstructor } from '../../../client/src/index.ts';
import type { PushEvent } from '../../../client/src/live/push-event.ts';
import type { SimulatedReply } from './service-state.ts';

/** Network faults. Probabilities are from 0 to 1. Times are in milliseconds. */
export interface NetworkConditions {
  /** Probability that a request or its reply is lost. */
  lostRequests: number;
  lostPushes: number;
  duplicatePushes: number;
  /** Maximum delay of a push; doubled for its duplicate. */
  latePushes: number;
  latency: number;
  isOffline: boolean;
  /** Returns the additional delay of the reply to a request, such as `GET /v1/messages`. */
  replyDelay(request: string): number;
}

export const goodConditions: NetworkConditions = {
  lostRequests: 0,
  lostPushes: 0,
  duplicatePushes: 0,
  latePushes: 20,
  latency: 30,
  isOffline: false,
  replyDelay: () => 0,
};

export interface Network {
  conditions: NetworkConditions;
  fetch: Fetch;
  putFile: PutFile;
  WebSocket: SocketConstructor;
  publish(channel: string, event: PushEvent): void;
  broadcast(frame: object): void;
  /** Returns the reply to a request, or undefined to let the service reply. */
  overrideReply?: (request: string) => SimulatedReply | undefined;
  /** Returns the frame to reply with, null for no reply, or undefined for the usual reply. */
  overrideFrame?: (frame: {
    type: string;
    id?: string;
    channel?: string;
    authorization?: { Authorization: string };
  }) => object | null | undefined;
  /** Ends all connections. If `mode` is `silently`, the client receives no close event. */
  cut(mode?: 'silently'): void;
  /** Methods and paths of all requests. */
  requests: string[];
  connections(): number;
  /** Subprotocols of the last connection. */
  protocols: string[];
  sentAfterClose: string[];
}

type Respond = (
  method: string,
  address: string,
  body: unknown,
  idempotencyKey?: string,
) => SimulatedReply;

export function createSimulatedNetwork(chance: () => number, respond: Respond): Network {
  const sockets = new Set<SimulatedSocket>();
  const requests: string[] = [];
  const network: Network = {
    conditions: { ...goodConditions },
    fetch: (...request) => simulateFetch(network, chance, respond, request),
    putFile: async ({ method, url, headers }, { size }, { signal, onProgress }) => {
      const init = { method, headers, signal: signal ?? new AbortController().signal };
      onProgress(Math.ceil(size / 2));
      const response = await simulateFetch(network, chance, respond, [url, init]);
      onProgress(size);
      return { status: response.status, text: await response.text() };
    },
    WebSocket: class implements Socket {
      constructor(_url: string, protocols: string[]) {
        network.protocols = protocols;
        const socket = createSimulatedSocket(network, chance);
        sockets.add(socket);
        this.addEventListener = socket.addEventListener;
        this.send = socket.send;
        this.close = () => {
          sockets.delete(socket);
          socket.close();
        };
      }
      addEventListener: Socket['addEventListener'];
      send: Socket['send'];
      close: Socket['close'];
    },
    publish: (channel, event) => {
      for (const socket of sockets) socket.publish(channel, event);
    },
    broadcast: (frame) => {
      for (const socket of sockets) socket.sendFrame(frame);
    },
    cut: (mode) => {
      for (const socket of sockets) {
        sockets.delete(socket);
        if (mode === undefined) socket.close();
        else socket.mute();
      }
    },
    requests,
    connections: () => sockets.size,
    protocols: [],
    sentAfterClose: [],
  };
  return network;
}

/** Records the request. Rejects if the request or its reply is lost, or if the caller aborts. */
const simulateFetch = (
  network: Network,
  chance: () => number,
  respond: Respond,
  [url, { method, headers, body, signal }]: Parameters<Fetch>,
): ReturnType<Fetch> =>
  new Promise((resolve, reject) => {
    const request = `${method} ${url.replace(/^https?:\/\/[^/]*|\?.*/g, '')}`;
    network.requests.push(request);
    const { latency, lostRequests, replyDelay } = network.conditions;
    const delay = replyDelay(request);
    const fail = () => reject(new TypeError('network'));
    signal.addEventListener('abort', fail);
    const isLost = () => network.conditions.isOffline || chance() < lostRequests / 2;
    setTimeout(() => {
      if (isLost()) return fail();
      const address = url.replace(/^https?:\/\/[^/]*/, '');
      const reply =
        network.overrideReply?.(request) ??
        respond(method, address, body && JSON.parse(body), headers['Idempotency-Key']);
      const text = JSON.stringify(reply.body);
      setTimeout(
        () => {
          if (isLost()) return fail();
          const get = (name: string) => (name === 'Link' ? (reply.link ?? null) : null);
          resolve({ status: reply.status, headers: { get }, text: async () => text });
        },
        chance() * latency + delay,
      );
    }, chance() * latency);
  });

/** AppSync's maximum number of subscriptions per connection. */
const maxSubscriptions = 200;

/** Returns a connection's subscriptions. `add` and `remove` return the reply frame. */
function createSubscriptions() {
  const channels = new Map<string, string>();
  return {
    add: ({ id, channel }: { id: string; channel: string }) => {
      if (channels.size >= maxSubscriptions) {
        return { type: 'subscribe_error', id, errors: [{ errorType: 'LimitExceededError' }] };
      }
      channels.set(id, channel);
      return { type: 'subscribe_success', id };
    },
    remove: (id: string) => {
      const type = channels.delete(id) ? 'unsubscribe_success' : 'unsubscribe_error';
      return { type, id };
    },
    of: (channel: string) => [...channels].filter(([, one]) => one === channel).map(([id]) => id),
  };
}

type SimulatedSocket = ReturnType<typeof createSimulatedSocket>;

/** Returns the push service's end of a connection. */
function createSimulatedSocket(network: Network, chance: () => number) {
  const listeners = new Map<string, ((event: { data?: unknown }) => void)[]>();
  const subscriptions = createSubscriptions();
  let isOpen = true;
  let isOver = false;
  const emit = (type: string, event: { data?: unknown } = {}) => {
    for (const listener of listeners.get(type) ?? []) listener(event);
  };
  const sendFrame = (frame: object, delay = chance() * network.conditions.latency) =>
    setTimeout(() => {
      if (isOpen) emit('message', { data: JSON.stringify(frame) });
    }, delay);
  const keepAlive = setInterval(() => sendFrame({ type: 'ka' }), 60_000);
  const mute = () => {
    isOpen = false;
    clearInterval(keepAlive);
  };
  const close = () => {
    if (!isOpen) return;
    mute();
    setTimeout(() => {
      isOver = true;
      emit('close');
    }, 1);
  };
  setTimeout(() => (network.conditions.isOffline ? close() : emit('open')), chance() * 50);

  return {
    addEventListener: (type: string, listener: (event: { data?: unknown }) => void) => {
      listeners.set(type, [...(listeners.get(type) ?? []), listener]);
    },
    send: (text: string) => {
      if (isOver) network.sentAfterClose.push(text);
      const frame = JSON.parse(text);
      const { type, id } = frame;
      const replacement = network.overrideFrame?.(frame);
      if (replacement === null) return;
      if (type !== 'connection_init' && id === undefined)
        throw new Error(`The frame has no id: ${text}`);
      if (replacement !== undefined) return void sendFrame({ id, ...replacement });
      if (type === 'connection_init')
        sendFrame({ type: 'connection_ack', connectionTimeoutMs: 300_000 });
      if (type === 'subscribe') {
        setTimeout(
          () => sendFrame(subscriptions.add(frame)),
          chance() * network.conditions.latency,
        );
      }
      if (type === 'unsubscribe') sendFrame(subscriptions.remove(id));
    },
    close,
    mute,
    sendFrame,
    publish: (channel: string, event: PushEvent) => {
      const { lostPushes, duplicatePushes, latePushes } = network.conditions;
      for (const id of subscriptions.of(channel)) {
        if (chance() < lostPushes) continue;
        const frame = { type: 'data', id, event: JSON.stringify(event) };
        sendFrame(frame, chance() * latePushes);
        if (chance() < duplicatePushes) sendFrame(frame, chance() * latePushes * 2);
      }
    },
  };
}
