import { waitUntil } from './wait-until.ts';

export type Frame = { type: string; id?: string; event?: unknown; errors?: unknown } & Record<
  string,
  unknown
>;

export interface Listener {
  /** All frames except keep-alives. */
  frames: Frame[];
  send(frame: object): void;
  /** Resolves with the first frame that has the type and, if given, the id. */
  waitForFrame(type: string, id?: string): Promise<Frame>;
  subscribe(id: string, channel: string, token?: string): Promise<Frame>;
  getEvents(id: string): unknown[];
  /** Resolves when the connection is closed. */
  closed: Promise<{ code: number }>;
  close(): void;
}

const inHeader = (authorization: object) =>
  `header-${Buffer.from(JSON.stringify(authorization)).toString('base64url')}`;

/** Connects with Node's WebSocket, which has the browser's API. */
export function connectListener(
  { url, host }: { url: string; host: string },
  token: string,
  onEvent: (event: unknown) => void = () => {},
): Promise<Listener> {
  const authorization = (shown = token) => ({ Authorization: `Token ${shown}`, host });
  const protocols = ['aws-appsync-event-ws', inHeader(authorization())];
  const socket = new WebSocket(url, protocols);
  const frames: Frame[] = [];
  const closed = Promise.withResolvers<{ code: number }>();
  const opened = Promise.withResolvers<Listener>();
  const send = (frame: object) => socket.send(JSON.stringify(frame));
  const find = (type: string, id?: string) =>
    frames.find((frame) => frame.type === type && (id === undefined || frame.id === id));

  const waitForFrame = async (type: string, id?: string): Promise<Frame> => {
    await waitUntil(() => find(type, id) !== undefined);
    return find(type, id) ?? { type: 'none' };
  };
  socket.addEventListener('message', ({ data }) => {
    const frame: Frame = JSON.parse(String(data));
    if (frame.type !== 'ka') frames.push(frame);
    if (frame.type === 'data') onEvent(JSON.parse(String(frame.event)));
  });
  socket.addEventListener('close', ({ code }) => {
    closed.resolve({ code });
    opened.reject(new Error(`The connection closed with code ${code}.`));
  });
  socket.addEventListener('error', () => {});
  socket.addEventListener('open', () =>
    opened.resolve({
      frames,
      send,
      waitForFrame,
      subscribe: async (id, channel, shown) => {
        send({ type: 'subscribe', id, channel, authorization: authorization(shown) });
        const replyTypes = ['subscribe_success', 'subscribe_error'];
        const findReply = () =>
          frames.find((one) => one.id === id && replyTypes.includes(one.type));
        await waitUntil(() => findReply() !== undefined);
        return findReply() ?? { type: 'none' };
      },
      getEvents: (id) =>
        frames
          .filter((frame) => frame.type === 'data' && frame.id === id)
          .map(({ event }) => JSON.parse(String(event))),
      closed: closed.promise,
      close: () => socket.close(),
    }),
  );
  return opened.promise;
}
