import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../listen.ts';
import {
  type GatewayReply,
  type GatewayRequest,
  toGatewayRequest,
} from './request/gateway-request.ts';
import { maxBodyBytes } from './rest-api.ts';

/**
 * Maximum size in bytes of the headers that Node accepts. Exceeds the gateway's own limit, which
 * `createRestApi` checks.
 */
const maxHeaderSize = 64 * 1024;

export type RequestHandler = (request: GatewayRequest) => Promise<GatewayReply>;

/**
 * Starts the server before the API is ready, so that a port in use causes an error before slow
 * steps start. Requests wait until `api` resolves.
 */
export async function startGatewayServer(port: number, api: Promise<RequestHandler>) {
  const server = createServer({ maxHeaderSize }, async (message, response) => {
    try {
      const body = await readBody(message);
      const request = toGatewayRequest(message, body);
      const handleRequest = await api;
      write(response, request, await handleRequest(request));
    } catch {
      // The client has disconnected or the local cloud is stopping, so no reply is needed.
      response.destroy();
    }
  });
  const { port: actualPort, close } = await listen(server, port);
  return { url: `http://127.0.0.1:${actualPort}`, close };
}

/**
 * Returns the body, cut off just above the limit. Reads and discards the rest, so that the client
 * receives the reply.
 */
function readBody(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    message.on('data', (chunk: Buffer) => {
      if (size <= maxBodyBytes) chunks.push(chunk);
      size += chunk.length;
      if (size > maxBodyBytes) resolve(Buffer.concat(chunks));
    });
    message.once('end', () => resolve(Buffer.concat(chunks)));
    message.once('error', reject);
    message.once('close', () => reject(new Error('The client has closed the connection.')));
  });
}

function write(response: ServerResponse, request: GatewayRequest, reply: GatewayReply): void {
  response.statusCode = reply.status;
  response.setHeader('x-amzn-RequestId', request.id);
  for (const [name, value] of reply.headers) response.appendHeader(name, value);
  if (request.body.length > maxBodyBytes) response.setHeader('Connection', 'close');
  response.end(reply.body);
}
