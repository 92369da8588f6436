import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import * as v from 'valibot';
import { messageOf } from '../../lib/problem.ts';
import { listen } from '../listen.ts';
import type { Queues } from './queues.ts';

const Receive = v.object({
  QueueUrl: v.string(),
  MaxNumberOfMessages: v.optional(v.number(), 1),
});
const Delete = v.object({ QueueUrl: v.string(), ReceiptHandle: v.string() });

export interface QueueServer {
  endpoint: string;
  stop(): Promise<void>;
}

/** Serves the part of SQS's API needed to read and empty a dead-letter queue. */
export async function startQueueServer(queues: () => Queues): Promise<QueueServer> {
  const server = createServer((request, response) => {
    serve(queues(), request, response).catch((error) => {
      if (!response.destroyed) reply(response, 400, { message: messageOf(error) });
    });
  });
  const { port, close } = await listen(server, 0);
  return { endpoint: `http://127.0.0.1:${port}`, stop: close };
}

async function serve(queues: Queues, request: IncomingMessage, response: ServerResponse) {
  const operation = String(request.headers['x-amz-target']).split('.')[1];
  const body = await json(request);
  if (operation === 'ReceiveMessage') {
    const { QueueUrl, MaxNumberOfMessages } = v.parse(Receive, body);
    const received = queues.receive(QueueUrl, MaxNumberOfMessages);
    const Messages = received.map((message) => {
      const Body = JSON.stringify(message.body);
      const MD5OfBody = createHash('md5').update(Body).digest('hex');
      return { MessageId: randomUUID(), ReceiptHandle: message.receipt, Body, MD5OfBody };
    });
    reply(response, 200, { Messages });
  } else if (operation === 'DeleteMessage') {
    const { QueueUrl, ReceiptHandle } = v.parse(Delete, body);
    queues.remove(QueueUrl, ReceiptHandle);
    reply(response, 200, {});
  } else {
    const __type = 'com.amazonaws.sqs#UnsupportedOperation';
    reply(response, 400, { __type, message: `The local cloud does not support ${operation}.` });
  }
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify(body));
}
