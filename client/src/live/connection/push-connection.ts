import type { Event } from '../../generated/types.ts';
import type { SocketConstructor } from '../live-types.ts';
import { toBase64Url } from './base64url.ts';

/** Milliseconds for an answer. */
const replyTimeoutMs = 15_000;
/** Without a frame for so many milliseconds it is dead, unless it says otherwise. */
const defaultMaxSilenceMs = 300_000;

/** The push service does not let this token in, or not onto this channel. */
export class SubscriptionRefusedError extends Error {}

export interface PushConnection {
  /** Settles once it is agreed. Throws RefusedError. */
  subscribe(channel: string, token: string): Promise<void>;
  unsubscribe(channel: string): void;
  /** What is subscribed to. */
  channels(): string[];
  /** Milliseconds since it said something. */
  getSilenceMs(): number;
  close(): void;
  /** Settles when it is over. */
  ended: Promise<Error>;
}

export interface PushConnectionOptions {
  WebSocket: SocketConstructor;
  url: string;
  host: string;
  token: string;
  onEvent(event: Event): void;
  /** Something could not be told. */
  onMissedEvent(): void;
}

interface Frame {
  type?: string;
  id?: string;
  event?: unknown;
  connectionTimeoutMs?: unknown;
  errors?: unknown;
}

/** Connects, and settles once the push service has agreed. Throws RefusedError, or whatever went wrong. */
export async function openPushConnection(options: PushConnectionOptions): Promise<PushConnection> {
  const { WebSocket, url, host, token, onEvent: hear, onMissedEvent: missed } = options;
  const toAuthorization = (one: string) => ({ Authorization: `Bearer ${one}`, host });
  const header = toBase64Url(JSON.stringify(toAuthorization(token)));
  const socket = new WebSocket(url, ['aws-appsync-event-ws', `header-${header}`]);

  const subscriptions = new Map<string, string>();
  const pendingReplies = new Map<string, (frame: Frame | Error) => void>();
  let count = 0;
  let lastHeard = Date.now();
  let maxSilenceMs = defaultMaxSilenceMs;
  let closeReason: Error | undefined;
  let end: (reason: Error) => void = () => {};
  const ended = new Promise<Error>((resolve) => {
    end = (reason) => {
      closeReason ??= reason;
      clearInterval(watch);
      for (const settle of pendingReplies.values()) settle(reason);
      socket.close();
      resolve(reason);
    };
  });
  const watch = setInterval(() => {
    if (Date.now() - lastHeard > maxSilenceMs) end(new Error('The connection has fallen silent.'));
  }, 10_000);

  const sendFrame = (frame: object) => socket.send(JSON.stringify(frame));
  /** The answer to what is said, which is known by its id, or is that of the connection. */
  const sendAndWait = (id: string, ask: () => void): Promise<Frame> =>
    new Promise((resolve, reject) => {
      if (closeReason) return reject(closeReason);
      const timer = setTimeout(
        () => end(new Error('There was no answer in time.')),
        replyTimeoutMs,
      );
      pendingReplies.set(id, (frame) => {
        clearTimeout(timer);
        pendingReplies.delete(id);
        if (frame instanceof Error) reject(frame);
        else if (frame.type?.endsWith('_error'))
          reject(new SubscriptionRefusedError(JSON.stringify(frame.errors)));
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
    else if (frame.type !== 'ka') pendingReplies.get(frame.id ?? '')?.(frame);
  });
  socket.addEventListener('close', () => end(new Error('The connection is closed.')));
  socket.addEventListener('error', () => end(new Error('The connection has failed.')));

  const acknowledged = sendAndWait('', () => {
    socket.addEventListener('open', () => sendFrame({ type: 'connection_init' }));
  });
  acknowledged.catch(end);
  const { connectionTimeoutMs } = await acknowledged;
  if (typeof connectionTimeoutMs === 'number') maxSilenceMs = connectionTimeoutMs;

  return {
    subscribe: async (channel, one) => {
      count += 1;
      const id = `s${count}`;
      await sendAndWait(id, () =>
        sendFrame({ type: 'subscribe', id, channel, authorization: toAuthorization(one) }),
      );
      subscriptions.set(channel, id);
    },
    unsubscribe: (channel) => {
      const id = subscriptions.get(channel);
      subscriptions.delete(channel);
      if (id !== undefined && !closeReason) sendFrame({ type: 'unsubscribe', id });
    },
    channels: () => [...subscriptions.keys()],
    getSilenceMs: () => Date.now() - lastHeard,
    close: () => end(new Error('The connection was closed from here.')),
    ended,
  };
}
