import type { Event } from '../generated/types.ts';
import { toBase64Url } from './base64.ts';
import type { SocketConstructor } from './types.ts';

/** Milliseconds for an answer. */
const answerWithin = 15_000;
/** Without a frame for so many milliseconds it is dead, unless it says otherwise. */
const silenceAtMost = 300_000;

/** The push service does not let this token in, or not onto this channel. */
export class RefusedError extends Error {}

export interface Connection {
  /** Settles once it is agreed. Throws RefusedError. */
  subscribe(channel: string, token: string): Promise<void>;
  unsubscribe(channel: string): void;
  /** What is subscribed to. */
  channels(): string[];
  /** Milliseconds since it said something. */
  silentFor(): number;
  close(): void;
  /** Settles when it is over. */
  ended: Promise<Error>;
}

export interface ConnectionOptions {
  WebSocket: SocketConstructor;
  url: string;
  host: string;
  token: string;
  hear(event: Event): void;
  /** Something could not be told. */
  missed(): void;
}

interface Frame {
  type?: string;
  id?: string;
  event?: unknown;
  connectionTimeoutMs?: unknown;
  errors?: unknown;
}

/** Connects, and settles once the push service has agreed. Throws RefusedError, or whatever went wrong. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  const { WebSocket, url, host, token, hear, missed } = options;
  const shown = (one: string) => ({ Authorization: `Bearer ${one}`, host });
  const header = toBase64Url(JSON.stringify(shown(token)));
  const socket = new WebSocket(url, ['aws-appsync-event-ws', `header-${header}`]);

  const subscriptions = new Map<string, string>();
  const waiting = new Map<string, (frame: Frame | Error) => void>();
  let count = 0;
  let lastHeard = Date.now();
  let mostSilence = silenceAtMost;
  let over: Error | undefined;
  let end: (reason: Error) => void = () => {};
  const ended = new Promise<Error>((resolve) => {
    end = (reason) => {
      over ??= reason;
      clearInterval(watch);
      for (const settle of waiting.values()) settle(reason);
      socket.close();
      resolve(reason);
    };
  });
  const watch = setInterval(() => {
    if (Date.now() - lastHeard > mostSilence) end(new Error('The connection has fallen silent.'));
  }, 10_000);

  const say = (frame: object) => socket.send(JSON.stringify(frame));
  /** The answer to what is said, which is known by its id, or is that of the connection. */
  const answer = (id: string, ask: () => void): Promise<Frame> =>
    new Promise((resolve, reject) => {
      if (over) return reject(over);
      const timer = setTimeout(() => end(new Error('There was no answer in time.')), answerWithin);
      waiting.set(id, (frame) => {
        clearTimeout(timer);
        waiting.delete(id);
        if (frame instanceof Error) reject(frame);
        else if (frame.type?.endsWith('_error'))
          reject(new RefusedError(JSON.stringify(frame.errors)));
        else resolve(frame);
      });
      ask();
    });

  socket.addEventListener('message', ({ data }) => {
    lastHeard = Date.now();
    const frame: Frame = JSON.parse(String(data));
    if (frame.type === 'data')
      for (const text of [frame.event].flat()) hear(JSON.parse(String(text)));
    else if (frame.type === 'broadcast_error') missed();
    else if (frame.type !== 'ka') waiting.get(frame.id ?? '')?.(frame);
  });
  socket.addEventListener('close', () => end(new Error('The connection is closed.')));
  socket.addEventListener('error', () => end(new Error('The connection has failed.')));

  const agreed = answer('', () => {
    socket.addEventListener('open', () => say({ type: 'connection_init' }));
  });
  agreed.catch(end);
  const { connectionTimeoutMs } = await agreed;
  if (typeof connectionTimeoutMs === 'number') mostSilence = connectionTimeoutMs;

  return {
    subscribe: async (channel, one) => {
      count += 1;
      const id = `s${count}`;
      await answer(id, () => say({ type: 'subscribe', id, channel, authorization: shown(one) }));
      subscriptions.set(channel, id);
    },
    unsubscribe: (channel) => {
      const id = subscriptions.get(channel);
      subscriptions.delete(channel);
      if (id !== undefined && !over) say({ type: 'unsubscribe', id });
    },
    channels: () => [...subscriptions.keys()],
    silentFor: () => Date.now() - lastHeard,
    close: () => end(new Error('The connection was closed from here.')),
    ended,
  };
}
