import type { Socket, SocketConstructor } from '../../../client/src/index.ts';
import { addPush, type Side } from './traffic.ts';

type SocketEvent = 'open' | 'message' | 'close' | 'error';
type Listener = (event: { data?: unknown }) => void;

/**
 * Returns a WebSocket class that records pushes, and a function that cuts all its connections.
 * While the network is cut, no connection opens.
 */
export function createSocketClass(side: Side, isUp: () => boolean) {
  const open = new Set<() => void>();

  const LoggedSocket: SocketConstructor = class implements Socket {
    readonly #socket: WebSocket | undefined;
    readonly #listeners: [SocketEvent, Listener][] = [];
    readonly #end = () => {
      if (!open.delete(this.#end)) return;
      this.#socket?.close();
      this.#emit('close', {});
    };

    constructor(url: string, protocols: string[]) {
      open.add(this.#end);
      if (!isUp()) {
        setTimeout(this.#end);
        return;
      }
      this.#socket = new WebSocket(url, protocols);
      this.#socket.addEventListener('close', this.#end);
      this.#socket.addEventListener('open', () => this.#emit('open', {}));
      this.#socket.addEventListener('message', ({ data }) => this.#receive(data));
    }

    send(text: string): void {
      this.#socket?.send(text);
    }

    close(): void {
      this.#end();
    }

    addEventListener(type: SocketEvent, listener: Listener): void {
      this.#listeners.push([type, listener]);
    }

    #receive(data: unknown): void {
      if (!open.has(this.#end)) return;
      for (const event of parseEvents(data)) addPush({ side, at: new Date(), ...event });
      this.#emit('message', { data });
    }

    #emit(type: SocketEvent, event: { data?: unknown }): void {
      for (const [listened, listener] of this.#listeners) if (listened === type) listener(event);
    }
  };

  return {
    WebSocket: LoggedSocket,
    cut: () => {
      for (const end of [...open]) end();
    },
  };
}

function parseEvents(data: unknown): { type: string; text: string }[] {
  const frame: unknown = typeof data === 'string' ? JSON.parse(data) : undefined;
  if (typeof frame !== 'object' || frame === null || !('event' in frame)) return [];
  return [frame.event].flat().flatMap((text) => {
    if (typeof text !== 'string') return [];
    const event: unknown = JSON.parse(text);
    const isNamed = typeof event === 'object' && event !== null && 'type' in event;
    return [{ type: isNamed ? String(event.type) : 'push', text }];
  });
}
