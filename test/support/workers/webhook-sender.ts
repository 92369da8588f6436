/** Runs the webhook sender for the importing test file, with fake queues and a mocked clock. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, jest } from '@jest/globals';
import type { Context, SQSEvent } from 'aws-lambda';
import { handler } from '../../../functions/webhooks.ts';
import type { BusEvent } from '../../../shared/bus-event.ts';
import { clock } from '../../../shared/clock.ts';
import { putNew } from '../../../shared/table/calls/access.ts';
import { removeItem } from '../../../shared/table/calls/remove-items.ts';
import { webhookEndpointKey } from '../../../shared/table/keys/webhook-keys.ts';
import {
  type EndpointItem,
  listEndpoints,
  toStoredEndpoint,
} from '../../../shared/table/webhooks/endpoint-item.ts';
import { forgetEndpoints } from '../../../shared/webhooks/endpoints-cache.ts';
import { newSecret } from '../../../shared/webhooks/signature.ts';
import { create, send } from '../handlers/api-calls.ts';
import { createTrio } from '../people/callers.ts';
import { startFakeAwsServices } from './fake-aws-services.ts';

/** The test's clock, in milliseconds since 1970. */
export const time = { now: 1_800_000_000_000 };
export let aws: Awaited<ReturnType<typeof startFakeAwsServices>>;
const servers: Server[] = [];
beforeAll(async () => {
  aws = await startFakeAwsServices(() => time.now);
});
beforeEach(() => {
  jest.spyOn(clock, 'now').mockImplementation(() => time.now);
  jest.spyOn(clock, 'sleep').mockResolvedValue();
  // The duration of an attempt determines the endpoint's lane.
  jest.spyOn(performance, 'now').mockImplementation(() => time.now);
  aws.messages = [];
});
afterEach(removeEndpoints);
afterAll(() => {
  aws.stop();
  for (const server of servers) server.close();
});

export async function removeEndpoints(): Promise<void> {
  for (const { id } of await listEndpoints()) await removeItem(webhookEndpointKey(id));
  forgetEndpoints();
}

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * Starts an endpoint that replies with the status from `getStatus`, or closes the connection if the
 * status is undefined.
 */
export async function startEndpoint(
  getStatus: (attempt: number) => number | undefined,
  retryAfter?: string,
) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    const status = getStatus(received.length);
    if (retryAfter) response.setHeader('Retry-After', retryAfter);
    if (status === undefined) request.socket.destroy();
    else response.writeHead(status, { Location: 'http://127.0.0.1:1/' }).end();
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { received, url: `http://127.0.0.1:${port}/` };
}

let endpoints = 0;

/** Adds an endpoint for all message events. */
export async function addEndpoint(url: string, fields: Partial<EndpointItem> = {}) {
  endpoints += 1;
  const id = `endpoint${endpoints}`;
  const secret = newSecret();
  aws.parameters.set(`/test/webhooks/${id}`, JSON.stringify({ current: secret }));
  const endpoint = {
    ...{
      id,
      url,
      types: ['message.*'],
      state: 'active',
      created_at: 1,
      failures: 0,
      slow_attempts: 0,
    },
    ...fields,
  } satisfies EndpointItem;
  await putNew(toStoredEndpoint(endpoint));
  forgetEndpoints();
  return { id, secret };
}

export const getEndpoint = async (id: string) =>
  (await listEndpoints()).find((one) => one.id === id);

/** Invokes the sender. Returns the indexes of the messages that SQS would redeliver. */
export async function invoke(bodies: readonly string[]): Promise<number[]> {
  const Records = bodies.map((body, n) => ({ body, messageId: `${n}` }));
  const context = { getRemainingTimeInMillis: () => 30_000 };
  const event = { Records } as SQSEvent;
  const { batchItemFailures } = await handler(event, context as Context);
  return batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier));
}

/** Delivers events, then advances the clock and handles messages as they become visible. */
export async function run(seconds: number, ...events: BusEvent[]): Promise<void> {
  const end = time.now + seconds * 1000;
  if (events.length > 0) await invoke(events.map((detail) => JSON.stringify({ detail })));
  for (;;) {
    const queued = aws.messages.filter(({ queue }) => queue !== 'letters');
    const next = Math.min(...queued.map(({ visibleAt }) => visibleAt));
    if (next > end) break;
    time.now = Math.max(time.now, next);
    const due = queued.filter(({ visibleAt }) => visibleAt <= time.now).slice(0, 10);
    if (due.length === 0) break;
    aws.messages = aws.messages.filter((one) => !due.includes(one));
    await invoke(due.map(({ body }) => body));
  }
  time.now = end;
}

export const getDeadLetters = () =>
  aws.messages.filter(({ queue }) => queue === 'letters').map(({ body }) => body);

export const secretText = 'A text that only endpoints receive';

/** Sends a message. Returns its event as published on the bus. */
export async function sendMessage() {
  const { cleo, xavier } = createTrio();
  const { id } = await create(cleo, { contact_id: xavier.id });
  const { id: message_id } = await send(cleo, id, secretText);
  const event: BusEvent = {
    ...{ id: `${message_id}-1`, type: 'message.created', version: 1 },
    ...{ created_at: time.now / 1000, conversation_id: id, message_id, sender_id: cleo.id },
    ...{ created_by: cleo.id, contact_id: xavier.id, group_id: null },
  };
  return { event, cleo, message_id };
}
