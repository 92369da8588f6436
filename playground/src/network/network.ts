import { type ReadonlySignal, signal } from '@preact/signals';
import { type PutFile, putFile, type SocketConstructor } from '../../../client/src/index.ts';
import type { Fetch } from './fetch-type.ts';
import { createSocketClass } from './socket-classes.ts';
import type { Side } from './traffic.ts';
import { withTrafficLog } from './traffic-log-fetch.ts';
import { withUploadLog } from './upload-log.ts';

/** A user's network connection, which `cut` interrupts. */
export interface Network {
  readonly isUp: ReadonlySignal<boolean>;
  readonly fetch: Fetch;
  /** Same as `fetch`, but does not record the request. */
  readonly unloggedFetch: Fetch;
  readonly putFile: PutFile;
  /** WebSocket class that records the received pushes. */
  readonly WebSocket: SocketConstructor;
  cut(): void;
  restore(): void;
}

export function createNetwork(
  side: Side,
  variable: string,
  onReply: (path: string, reply: unknown) => void,
): Network {
  const isUp = signal(true);
  let ending = new AbortController();
  const quietFetch: Fetch = async (url, init) => {
    if (!isUp.peek()) throw new TypeError('The network is cut.');
    const ends = [ending.signal, ...(init.signal ? [init.signal] : [])];
    return globalThis.fetch(url, { ...init, signal: AbortSignal.any(ends) });
  };
  const quietPutFile: PutFile = async (target, file, options) => {
    if (!isUp.peek()) throw new TypeError('The network is cut.');
    const ends = [ending.signal, ...(options.signal ? [options.signal] : [])];
    return putFile(target, file, { ...options, signal: AbortSignal.any(ends) });
  };
  const sockets = createSocketClass(side, () => isUp.peek());
  return {
    isUp,
    unloggedFetch: quietFetch,
    fetch: withTrafficLog(quietFetch, { side, variable, onReply }),
    putFile: withUploadLog(quietPutFile, side),
    WebSocket: sockets.WebSocket,
    cut: () => {
      isUp.value = false;
      ending.abort(new TypeError('The network was cut.'));
      ending = new AbortController();
      sockets.cut();
    },
    restore: () => {
      isUp.value = true;
    },
  };
}
