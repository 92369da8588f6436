import type { Event, Fetch, Socket, SocketConstructor } from '../../../client/src/index.ts';
import type { PaperReply } from './service.ts';

/** What may go wrong. Chances are from 0 to 1, times are milliseconds. */
export interface Weather {
  /** A request, or the reply to it, is lost. */
  lostRequests: number;
  /** A push is lost … */
  lostPushes: number;
  /** … comes twice … */
  twins: number;
  /** … or is as late as that. */
  latePushes: number;
  latency: number;
  isOffline: boolean;
  /** How much later the reply to such a request is there, such as `GET /v1/messages`. */
  lateReply(request: string): number;
}

export const fair: Weather = {
  lostRequests: 0,
  lostPushes: 0,
  twins: 0,
  latePushes: 20,
  latency: 30,
  isOffline: false,
  lateReply: () => 0,
};

export interface Network {
  weather: Weather;
  fetch: Fetch;
  WebSocket: SocketConstructor;
  /** Tells whoever listens to that channel. */
  publish(channel: string, event: Event): void;
  /** Says that to all who are connected. */
  tell(frame: object): void;
  /** What is answered to such a request, in the place of what the service says. */
  replyTo?: (request: string) => PaperReply | undefined;
  /** What the push service says to such a frame in the place of its usual answer; null: nothing. */
  answerTo?: (frame: { type: string; id?: string; channel?: string }) => object | null | undefined;
  /** Ends all connections; silently: nobody is told so. */
  cut(how?: 'silently'): void;
  /** The requests that there were: methods and paths. */
  requests: string[];
  /** How many connections there are. */
  connections(): number;
  /** What was said to connections that were known to have ended. */
  saidTooLate: string[];
}

type Answer = (method: string, address: string, body: unknown) => PaperReply;

/** What is between one client and the service. */
export function networkOf(chance: () => number, answer: Answer): Network {
  const sockets = new Set<PaperSocket>();
  const requests: string[] = [];
  const network: Network = {
    weather: { ...fair },
    fetch: (url, { method, body, signal }) =>
      new Promise((resolve, reject) => {
        const request = `${method} ${url.replace(/^https?:\/\/[^/]*|\?.*/g, '')}`;
        requests.push(request);
        const { latency, lostRequests, lateReply } = network.weather;
        const late = lateReply(request);
        const fail = () => reject(new TypeError('network'));
        signal.addEventListener('abort', fail);
        const isLost = (share: number) => network.weather.isOffline || chance() < share;
        setTimeout(() => {
          if (isLost(lostRequests / 2)) return fail();
          const address = url.replace(/^https?:\/\/[^/]*/, '');
          const {
            status,
            body: reply,
            link,
          } = network.replyTo?.(request) ?? answer(method, address, body && JSON.parse(body));
          const text = JSON.stringify(reply);
          setTimeout(
            () => {
              if (isLost(lostRequests / 2)) return fail();
              const get = (name: string) => (name === 'Link' ? (link ?? null) : null);
              resolve({ status, headers: { get }, text: async () => text });
            },
            chance() * latency + late,
          );
        }, chance() * latency);
      }),
    WebSocket: class implements Socket {
      constructor() {
        const socket = paperSocket(network, chance);
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
    tell: (frame) => {
      for (const socket of sockets) socket.say(frame);
    },
    cut: (how) => {
      for (const socket of sockets) {
        sockets.delete(socket);
        if (how === undefined) socket.close();
        else socket.mute();
      }
    },
    requests,
    connections: () => sockets.size,
    saidTooLate: [],
  };
  return network;
}

/** As many as AWS allows a connection. */
const mostSubscriptions = 200;

type PaperSocket = ReturnType<typeof paperSocket>;

/** The push service's end of a connection. */
function paperSocket(network: Network, chance: () => number) {
  const listeners = new Map<string, ((event: { data?: unknown }) => void)[]>();
  const subscriptions = new Map<string, string>();
  let isOpen = true;
  let isOver = false;
  const emit = (type: string, event: { data?: unknown } = {}) => {
    for (const listener of listeners.get(type) ?? []) listener(event);
  };
  const say = (frame: object, delay = chance() * network.weather.latency) =>
    setTimeout(() => {
      if (isOpen) emit('message', { data: JSON.stringify(frame) });
    }, delay);
  const keepAlive = setInterval(() => say({ type: 'ka' }), 60_000);
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
  setTimeout(() => (network.weather.isOffline ? close() : emit('open')), chance() * 50);

  return {
    addEventListener: (type: string, listener: (event: { data?: unknown }) => void) => {
      listeners.set(type, [...(listeners.get(type) ?? []), listener]);
    },
    send: (text: string) => {
      if (isOver) network.saidTooLate.push(text);
      const frame = JSON.parse(text);
      const { type, id, channel } = frame;
      const instead = network.answerTo?.(frame);
      if (instead === null) return;
      if (type !== 'connection_init' && id === undefined) throw new Error(`Of what is ${text}?`);
      if (instead !== undefined) return void say({ id, ...instead });
      if (type === 'connection_init') say({ type: 'connection_ack', connectionTimeoutMs: 300_000 });
      if (type === 'subscribe') {
        setTimeout(() => {
          if (subscriptions.size >= mostSubscriptions) {
            say({ type: 'subscribe_error', id, errors: [{ errorType: 'LimitExceededError' }] });
            return;
          }
          subscriptions.set(id, channel);
          say({ type: 'subscribe_success', id });
        }, chance() * network.weather.latency);
      }
      if (type === 'unsubscribe') subscriptions.delete(id);
    },
    close,
    mute,
    say,
    publish: (channel: string, event: Event) => {
      const { lostPushes, twins, latePushes } = network.weather;
      for (const [id, its] of subscriptions) {
        if (its !== channel || chance() < lostPushes) continue;
        const frame = { type: 'data', id, event: JSON.stringify(event) };
        say(frame, chance() * latePushes);
        if (chance() < twins) say(frame, chance() * latePushes * 2);
      }
    },
  };
}
