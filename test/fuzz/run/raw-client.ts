import { connect, type Socket } from 'node:net';
import { gunzipSync, inflateSync } from 'node:zlib';
import { gatewayMilliseconds } from '../../support/processes/raise-timeouts.ts';

/** A reply with its body decompressed. */
export interface Reply {
  status: number;
  headers: [name: string, value: string][];
  body: string;
}

/** Timeout of a request, longer than the timeout of a test's gateway. */
const timeoutMilliseconds = gatewayMilliseconds + 10_000;

/**
 * Creates a client that sends raw bytes over keep-alive connections, because Node's clients reject
 * many hostile requests.
 */
export function createRawClient(port: number) {
  const idle: Socket[] = [];
  const take = (): Socket => {
    for (let pooled = idle.pop(); pooled; pooled = idle.pop()) if (!pooled.destroyed) return pooled;
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    // The server may close the connection between requests.
    socket.on('error', () => {});
    return socket;
  };

  const send = async (request: Buffer, method: string): Promise<Reply> => {
    const socket = take();
    try {
      const { reply, reusable } = await exchange(socket, request, method);
      if (reusable) idle.push(socket);
      else socket.destroy();
      return reply;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
  const close = () => {
    for (const socket of idle) socket.destroy();
  };
  return { send, close };
}

export type RawClient = ReturnType<typeof createRawClient>;

function exchange(socket: Socket, request: Buffer, method: string) {
  return new Promise<{ reply: Reply; reusable: boolean }>((resolve, reject) => {
    let received = '';
    const onData = (data: Buffer) => {
      received += data.toString('latin1');
      const reply = readReply(received, method, false);
      if (reply) done(() => resolve(reply));
    };
    const onEnd = () => {
      const reply = readReply(received, method, true);
      done(() => (reply ? resolve({ ...reply, reusable: false }) : reject(new Error('No reply.'))));
    };
    // The server may have replied before it stopped reading.
    const onError = () => setTimeout(onEnd, 5);
    const timer = setTimeout(
      () => done(() => reject(new Error('No reply in time.'))),
      timeoutMilliseconds,
    );
    const done = (settle: () => void) => {
      clearTimeout(timer);
      socket.off('data', onData).off('end', onEnd).off('error', onError);
      settle();
    };
    socket.on('data', onData).once('end', onEnd).once('error', onError);
    socket.write(request);
  });
}

/** Content encodings that the gateway uses. */
const decoders: Record<string, (body: Buffer) => Buffer> = {
  gzip: gunzipSync,
  deflate: inflateSync,
};

/** Returns the reply if it is complete, otherwise `undefined`. */
function readReply(received: string, method: string, ended: boolean) {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine = '', ...lines] = received.slice(0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
  const rest = received.slice(headEnd + 4);
  if (status === 100) return readReply(rest, method, ended);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const field = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1];
  const length = field('content-length');
  const empty = method === 'HEAD' || status === 204 || status === 304;
  if (!empty && length === undefined && !ended) return undefined;
  if (!empty && rest.length < Number(length ?? 0)) return undefined;
  const bytes = empty ? '' : rest.slice(0, length === undefined ? undefined : Number(length));
  const decode = decoders[field('content-encoding') ?? ''] ?? ((body: Buffer) => body);
  const body = decode(Buffer.from(bytes, 'latin1')).toString();
  const reply: Reply = { status, headers, body };
  return { reply, reusable: field('connection') !== 'close' };
}
