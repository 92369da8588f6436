import { getAbortReason } from '../../requests/fetch-attempt.ts';
import { createDeferred, type Deferred } from '../deferred.ts';
import type { Socket, SocketConstructor } from '../live-types.ts';
import type { PushEvent } from '../push-event.ts';
import { toBase64Url } from './base64url.ts';

/** Milliseconds to wait for the reply to a frame. */
const replyTimeoutMs = 15_000;
/** Milliseconds of silence before a probe. The push service sends a keep-alive every minute. */
const maxSilenceMs = 62_000;
/** Milliseconds to wait for any frame after a probe. */
const probeTimeoutMs = 5000;
/** Milliseconds after a limit error during which pending requests may still receive replies. */
const limitGraceMs = 2000;
/** Id that no subscription has, so that a probe changes nothing. */
const probeId = 'probe';
/** Key of the pending reply to `connection_init`, which has no id. */
const handshakeId = '';

/** The push service refused a token or a channel or reported a limit, or the connection ended. */
export class PushError extends Error {
  declare readonly reason: 'refused' | 'limit' | 'ended';

  constructor(reason: PushError['reason'], message: string) {
    super(message);
    this.name = 'PushError';
    this.reason = reason;
  }
}

export interface PushConnectionOptions {
  WebSocket: SocketConstructor;
  url: string;
  host: string;
  token: string;
  /** Signal that closes the socket when aborted, even during the handshake. */
  signal: AbortSignal;
  onEvent(event: PushEvent): void;
  /** Called when the push service could not deliver an event. */
  onMissedEvent(): void;
}

export interface PushConnection {
  readonly options: PushConnectionOptions;
  readonly socket: Socket;
  /** Subscription ids by channel. */
  readonly channels: Map<string, string>;
  readonly pendingReplies: Map<string, Deferred<Frame>>;
  /** Resolves with the reason when the connection has ended. */
  readonly ended: Deferred<Error>;
  endReason?: Error;
  lastId: number;
  silenceTimer?: ReturnType<typeof setTimeout>;
}

interface Frame {
  type?: string;
  id?: string;
  event?: unknown;
}

/**
 * Opens a connection. Rejects with a `PushError` if the push service refuses the token, does not
 * reply or closes the connection. Rejects with the signal's reason if the signal is aborted.
 */
export async function openPushConnection(options: PushConnectionOptions): Promise<PushConnection> {
  const { WebSocket, url, token, host, signal } = options;
  const header = toBase64Url(JSON.stringify(toAuthorization(token, host)));
  const connection: PushConnection = {
    options,
    socket: new WebSocket(url, ['aws-appsync-event-ws', `header-${header}`]),
    channels: new Map(),
    pendingReplies: new Map(),
    ended: createDeferred(),
    lastId: 0,
  };
  const { socket } = connection;
  const end = () => endConnection(connection, new PushError('ended', 'The connection has ended.'));
  socket.addEventListener('message', ({ data }) => receiveFrame(connection, String(data)));
  socket.addEventListener('close', end);
  socket.addEventListener('error', end);
  socket.addEventListener('open', () => sendFrame(connection, { type: 'connection_init' }));
  const onAbort = () => endConnection(connection, getAbortReason(signal));
  signal.addEventListener('abort', onAbort);
  connection.ended.promise.then(() => signal.removeEventListener('abort', onAbort));
  if (signal.aborted) onAbort();
  try {
    await waitForReply(connection, handshakeId);
  } catch (error) {
    endConnection(connection, error);
    throw error;
  }
  watchSilence(connection);
  return connection;
}

/** Closes the socket, rejects all pending replies with the reason, and resolves `ended` with it. */
export function endConnection(connection: PushConnection, reason: unknown): void {
  if (connection.endReason) return;
  const error = reason instanceof Error ? reason : new PushError('ended', String(reason));
  connection.endReason = error;
  clearTimeout(connection.silenceTimer);
  for (const reply of connection.pendingReplies.values()) reply.reject(error);
  connection.socket.close();
  connection.ended.resolve(error);
}

/**
 * Subscribes to a channel. Rejects with a `PushError` if the push service refuses the subscription,
 * or with the reason if the connection ends.
 */
export async function subscribe(
  connection: PushConnection,
  channel: string,
  token: string,
): Promise<void> {
  connection.lastId += 1;
  const id = `s${connection.lastId}`;
  const authorization = toAuthorization(token, connection.options.host);
  const reply = waitForReply(connection, id);
  sendFrame(connection, { type: 'subscribe', id, channel, authorization });
  try {
    await reply;
  } catch (error) {
    // A limit error does not identify a subscription, so the service may have accepted this one.
    if (error instanceof PushError && error.reason === 'limit')
      sendFrame(connection, { type: 'unsubscribe', id });
    throw error;
  }
  connection.channels.set(channel, id);
}

export function unsubscribe(connection: PushConnection, channel: string): void {
  const id = connection.channels.get(channel);
  if (connection.channels.delete(channel)) sendFrame(connection, { type: 'unsubscribe', id });
}

/** Sends a frame that requires a reply. If no frame arrives in time, ends the connection. */
export function probe(connection: PushConnection): void {
  if (connection.endReason) return;
  clearTimeout(connection.silenceTimer);
  sendFrame(connection, { type: 'unsubscribe', id: probeId });
  const end = () =>
    endConnection(connection, new PushError('ended', 'The push service does not reply.'));
  connection.silenceTimer = setTimeout(end, probeTimeoutMs);
}

const toAuthorization = (token: string, host: string) => ({
  Authorization: `Token ${token}`,
  host,
});

function sendFrame({ socket, endReason }: PushConnection, frame: object) {
  if (!endReason) socket.send(JSON.stringify(frame));
}

function watchSilence(connection: PushConnection) {
  clearTimeout(connection.silenceTimer);
  if (connection.endReason) return;
  connection.silenceTimer = setTimeout(() => probe(connection), maxSilenceMs);
}

/**
 * Waits for the reply with the given id. If no reply arrives in time, ends the connection. Throws
 * if the reply is an error or the connection ends.
 */
async function waitForReply(connection: PushConnection, id: string): Promise<void> {
  if (connection.endReason) throw connection.endReason;
  const reply = createDeferred<Frame>();
  connection.pendingReplies.set(id, reply);
  const timer = setTimeout(
    () => endConnection(connection, new PushError('ended', 'The push service does not reply.')),
    replyTimeoutMs,
  );
  try {
    const frame = await reply.promise;
    if (isErrorFrame(frame)) throw toPushError(frame);
  } finally {
    clearTimeout(timer);
    connection.pendingReplies.delete(id);
  }
}

function receiveFrame(connection: PushConnection, text: string) {
  const { pendingReplies, options } = connection;
  if (!pendingReplies.has(handshakeId)) watchSilence(connection);
  const frame: Frame = JSON.parse(text);
  const { type, id } = frame;
  const reply = pendingReplies.get(id ?? handshakeId);
  if (type === 'data') {
    for (const event of [frame.event].flat()) options.onEvent(JSON.parse(String(event)));
  } else if (type === 'broadcast_error') options.onMissedEvent();
  else if (reply) {
    if (type !== 'ka') reply.resolve(frame);
  } else if (type === 'error' && id !== probeId) receiveError(connection, frame);
}

/**
 * Handles an `error` frame that is not a reply. A limit error does not identify a subscription, so
 * all pending requests fail unless their replies arrive within `limitGraceMs`. Other errors end the
 * connection.
 */
function receiveError(connection: PushConnection, frame: Frame) {
  const error = toPushError(frame);
  const pending = [...connection.pendingReplies.values()];
  if (error.reason !== 'limit') return endConnection(connection, error);
  setTimeout(() => {
    for (const reply of pending) reply.reject(error);
  }, limitGraceMs);
}

const isErrorFrame = ({ type = '' }: Frame) => type.endsWith('error');

/**
 * Returns the error that a frame reports. Searches the whole frame: AppSync documents `errors`, but
 * some services use `payload`.
 */
function toPushError(frame: Frame): PushError {
  const text = JSON.stringify(frame);
  return new PushError(/LimitExceeded/.test(text) ? 'limit' : 'refused', text);
}
