import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as v from 'valibot';
import { toErrorMessage } from '../../lib/problem.ts';
import { listen } from '../listen.ts';
import { findSigner } from '../push/find-signer.ts';
import type { Callers } from '../stack/caller.ts';
import type { Queues } from './queues.ts';

const Receive = v.object({
  QueueUrl: v.string(),
  MaxNumberOfMessages: v.optional(v.number(), 1),
  VisibilityTimeout: v.optional(v.number()),
});
const Send = v.object({
  QueueUrl: v.string(),
  MessageBody: v.pipe(v.string(), v.maxBytes(1024 * 1024), v.parseJson()),
  DelaySeconds: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(900)), 0),
  MessageGroupId: v.optional(v.string()),
});
const Text = v.object({ MessageBody: v.string() });
const Delete = v.object({ QueueUrl: v.string(), ReceiptHandle: v.string() });
const Hide = v.object({ ...Delete.entries, VisibilityTimeout: v.number() });

export interface QueueServer {
  endpoint: string;
  stop(): Promise<void>;
}

interface QueueStack {
  queues: Queues;
  callers: Callers;
}

/**
 * Serves the SQS operations that send messages, and those that empty dead-letter queues. Checks
 * signatures and permissions only for `SendMessage`.
 */
export async function startQueueServer(stack: () => QueueStack): Promise<QueueServer> {
  const server = createServer((request, response) => {
    serve(stack(), request, response).catch((error) => {
      if (!response.destroyed) reply(response, 400, { message: toErrorMessage(error) });
    });
  });
  const { port, close } = await listen(server, 0);
  return { endpoint: `http://127.0.0.1:${port}`, stop: close };
}

async function serve(
  { queues, callers }: QueueStack,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const operation = String(request.headers['x-amz-target']).split('.')[1];
  const bytes = await buffer(request);
  const body: unknown = JSON.parse(bytes.toString());
  if (operation === 'ReceiveMessage') {
    const { QueueUrl, MaxNumberOfMessages, VisibilityTimeout } = v.parse(Receive, body);
    const received = queues.receive(QueueUrl, MaxNumberOfMessages, VisibilityTimeout);
    const Messages = received.map((message) => {
      const Body = JSON.stringify(message.body);
      const MD5OfBody = createHash('md5').update(Body).digest('hex');
      return { MessageId: message.id, ReceiptHandle: message.receipt, Body, MD5OfBody };
    });
    reply(response, 200, { Messages });
  } else if (operation === 'SendMessage') {
    const { QueueUrl, MessageBody, DelaySeconds, MessageGroupId } = v.parse(Send, body);
    const signer = findSigner(request, bytes, { callers, service: 'sqs', now: Date.now() });
    if (signer?.decide('sqs:SendMessage', queues.toArn(QueueUrl)) !== 'allow') {
      const message = `${signer?.session} is not authorized to perform: sqs:SendMessage`;
      reply(response, 403, { __type: 'com.amazonaws.sqs#AccessDenied', message });
      return;
    }
    queues.send(QueueUrl, MessageBody, { delaySeconds: DelaySeconds, group: MessageGroupId });
    const { MessageBody: text } = v.parse(Text, body);
    const MD5OfMessageBody = createHash('md5').update(text).digest('hex');
    reply(response, 200, { MessageId: randomUUID(), MD5OfMessageBody });
  } else if (operation === 'ChangeMessageVisibility') {
    const { QueueUrl, ReceiptHandle, VisibilityTimeout } = v.parse(Hide, body);
    queues.hide(QueueUrl, ReceiptHandle, VisibilityTimeout);
    reply(response, 200, {});
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
