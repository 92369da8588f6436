import { type ReadonlySignal, signal } from '@preact/signals';
import type { SocketConstructor } from '../../../client/src/index.ts';
import type { Fetch } from './fetch.ts';
import { recorded } from './recorded.ts';
import { socketsOf } from './sockets.ts';
import type { Side } from './traffic.ts';

/** One person's way to the server. It can be cut. */
export interface Network {
  readonly isUp: ReadonlySignal<boolean>;
  /** What goes over it is shown. */
  readonly fetch: Fetch;
  /** The same, and not shown. */
  readonly quietFetch: Fetch;
  /** What comes over it is shown. */
  readonly WebSocket: SocketConstructor;
  readonly QuietWebSocket: SocketConstructor;
  cut(): void;
  mend(): void;
}

export function networkOf(
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
  const sockets = socketsOf(side, () => isUp.peek());
  return {
    isUp,
    quietFetch,
    fetch: recorded(quietFetch, { side, variable, onReply }),
    WebSocket: sockets.Shown,
    QuietWebSocket: sockets.Quiet,
    cut: () => {
      isUp.value = false;
      ending.abort(new TypeError('The network was cut.'));
      ending = new AbortController();
      sockets.cut();
    },
    mend: () => {
      isUp.value = true;
    },
  };
}
