import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';

const Send = v.object({
  QueueUrl: v.string(),
  MessageBody: v.pipe(v.string(), v.maxBytes(1024 * 1024)),
  DelaySeconds: v.number(),
  MessageGroupId: v.string(),
});
const Name = v.object({ Name: v.string() });

export interface QueuedMessage {
  queue: string;
  body: string;
  /** Timestamp on the test's clock, in milliseconds. */
  visibleAt: number;
  group: string;
}

/** Starts a fake SQS and Parameter Store for the webhook sender. `now` is the test's clock. */
export async function startFakeAwsServices(now: () => number) {
  const fake = {
    messages: [] as QueuedMessage[],
    parameters: new Map<string, string>(),
    /**
     * Returns the outcome of a call. A `refused` call has no effect and fails. A `lost` call takes
     * effect but gets no reply.
     */
    getOutcome: (): 'ok' | 'refused' | 'lost' => 'ok',
    isQueueBroken: false,
    stop: () => server.close(),
  };
  const handleRequest = (target: string, body: unknown): object | undefined => {
    if (target === 'AmazonSSM.GetParameter') {
      const Value = fake.parameters.get(v.parse(Name, body).Name);
      return Value === undefined ? { __type: 'ParameterNotFound' } : { Parameter: { Value } };
    }
    if (fake.isQueueBroken) return undefined;
    const {
      QueueUrl: queue,
      MessageBody,
      DelaySeconds,
      MessageGroupId: group,
    } = v.parse(Send, body);
    fake.messages.push({ queue, body: MessageBody, visibleAt: now() + DelaySeconds * 1000, group });
    return { MessageId: 'any' };
  };
  const server = createServer(async (request, response) => {
    const target = String(request.headers['x-amz-target']);
    const body: unknown = JSON.parse(await text(request));
    const outcome = fake.getOutcome();
    const reply = outcome === 'refused' ? undefined : handleRequest(target, body);
    if (outcome === 'lost') {
      request.socket.destroy();
      return;
    }
    response
      .writeHead(reply && !('__type' in reply) ? 200 : 400)
      .end(JSON.stringify(reply ?? { __type: 'Failed' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, {
    SQS_URL: `http://127.0.0.1:${port}/`,
    SSM_URL: `http://127.0.0.1:${port}/`,
    WEBHOOK_QUEUE_URL: 'fast',
    WEBHOOK_SLOW_QUEUE_URL: 'slow',
    WEBHOOK_DEAD_LETTERS_URL: 'letters',
    WEBHOOK_SECRETS: '/test/webhooks/',
    WEBHOOK_REACH: 'local',
  });
  return fake;
}
