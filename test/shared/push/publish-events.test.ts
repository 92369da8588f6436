import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { clock } from '../../../shared/clock.ts';
import { examples } from '../../../shared/contract/examples.ts';
import type { Event } from '../../../shared/contract/resources/event.ts';
import type { Message } from '../../../shared/contract/resources/message.ts';
import { withDeadline } from '../../../shared/deadline.ts';
import { type Inbox, toFeedName } from '../../../shared/inbox.ts';
import { publishEvents } from '../../../shared/push/publish-events.ts';
import type { PushEvent } from '../../../shared/push-event.ts';
import { captureLogLines } from '../../support/handlers/capture-log-lines.ts';

const Body = v.object({
  channel: v.string(),
  events: v.array(v.pipe(v.string(), v.parseJson(), v.looseObject({ place: v.number() }))),
});
const ann: Inbox = { kind: 'contact', id: 'ann' };
const feed = toFeedName(ann);
const hour = 500_000;

type Reactions = Message['reactions'];
const event = (sequence: number, message = 'Hello', reactions: Reactions = []): Event => ({
  id: `event-${sequence}`,
  type: 'message.created',
  created_at: 1_800_000_000,
  version: 1,
  feed,
  place: sequence,
  payload: { ...examples['messages/retrieve'].reply, message, reactions },
});

const toPushEvent = (published: Event, keepsContent = false): PushEvent => ({
  event: published,
  keepsContent,
});
const publish = (...events: Event[]) =>
  publishEvents(
    ann,
    events.map((one) => toPushEvent(one)),
  );

/** Uses a test server that can fail, unlike the AppSync server of the local cloud. */
describe('The publisher', () => {
  let server: Server;
  const received: v.InferOutput<typeof Body>[] = [];
  let respond: (response: ServerResponse, attempt: number) => void;

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      received.push(v.parse(Body, JSON.parse(await text(request))));
      respond(response, received.length);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    process.env.PUSH_URL = `http://127.0.0.1:${port}/event`;
  });
  beforeEach(() => {
    received.length = 0;
    respond = (response) => response.end('{"successful":[],"failed":[]}');
    jest.spyOn(clock, 'now').mockReturnValue((hour * 3600 + 10) * 1000);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('publishes up to five events per request, in order, with at most four concurrent requests', async () => {
    const events = Array.from({ length: 42 }, (_, n) => event(n + 1));
    const waiting: (() => void)[] = [];
    let maxConcurrent = 0;
    respond = (response) => {
      waiting.push(() => response.end('{"successful":[],"failed":[]}'));
      maxConcurrent = Math.max(maxConcurrent, waiting.length);
      if (waiting.length === 4) setTimeout(() => waiting.shift()?.(), 20);
      // The ninth request is the last.
      if (received.length === 9) setTimeout(() => waiting.forEach((next) => void next()), 20);
    };
    expect(await publish(...events)).toBe(0);
    expect(maxConcurrent).toBe(4);
    const sent = received.toSorted((a, b) => (a.events[0]?.place ?? 0) - (b.events[0]?.place ?? 0));
    expect(sent.map(({ events: batch }) => batch.length)).toEqual([5, 5, 5, 5, 5, 5, 5, 5, 2]);
    expect(sent.flatMap(({ events: batch }) => batch)).toEqual(events);
    expect(new Set(sent.map(({ channel }) => channel))).toEqual(
      new Set([`/inbox/${feed}/${hour}`]),
    );
    // The first four requests are concurrent. Each later request is sent after a reply, so only the
    // later requests arrive in order.
    expect(received.slice(4)).toEqual(sent.slice(4));
  });

  test('sends no request if there are no events', async () => {
    expect([await publish(), received]).toEqual([0, []]);
  });

  test('publishes to the channels of the current and the next hour in the last 90 seconds of an hour', async () => {
    jest.spyOn(clock, 'now').mockReturnValue((hour * 3600 + 3590) * 1000);
    expect(await publish(event(1))).toBe(0);
    expect(received.map(({ channel }) => channel).sort()).toEqual([
      `/inbox/${feed}/${hour}`,
      `/inbox/${feed}/${hour + 1}`,
    ]);
  });

  test('replaces the payload of an event with null if the payload exceeds 20 KB', async () => {
    const bytes = (one: Event) => Buffer.byteLength(JSON.stringify(one.payload));
    const room = 20 * 1024 - bytes(event(1, ''));
    const [largest, tooLarge] = [event(1, 'x'.repeat(room)), event(2, 'ü'.repeat(room / 2 + 1))];
    await publish(largest, tooLarge);
    expect(received[0]?.events).toEqual([largest, { ...tooLarge, payload: null }]);
  });

  test('omits only unchanged text and attachments from a payload above 20 KB, unless the rest is also too large', async () => {
    const long = event(1, 'x'.repeat(20 * 1024));
    const reactions = Array.from({ length: 100 }, (_, n) => ({ [`name-${n}`]: ['x'.repeat(250)] }));
    const popular = event(3, 'Hello', reactions);
    await publishEvents(ann, [
      toPushEvent(long, true),
      toPushEvent(event(2), true),
      toPushEvent(popular, true),
    ]);
    const {
      message: _,
      attachments: _attachments,
      ...others
    } = examples['messages/retrieve'].reply;
    expect(received[0]?.events).toEqual([
      { ...long, payload: others },
      event(2),
      { ...popular, payload: null },
    ]);
  });

  test('retries once after a lost connection', async () => {
    respond = (response, attempt) => {
      if (attempt === 1) response.destroy();
      else response.end('{"successful":[],"failed":[]}');
    };
    expect([await publish(event(1)), received.length]).toEqual([0, 2]);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['refuses the request', (response) => response.writeHead(403).end('{"errors":[]}')],
    ['replies with HTML', (response) => response.end('<html>')],
    ['closes the connection', (response) => response.destroy()],
  ])(
    'counts the lost events, logs the failures, and does not throw if AppSync %s',
    async (_, act) => {
      respond = act;
      const lines = await captureLogLines(async () => {
        expect(await publish(...[1, 2, 3, 4, 5, 6].map((n) => event(n)))).toBe(6);
      });
      expect(lines).toEqual(
        Array(2).fill(
          expect.objectContaining({ level: 'ERROR', operation: 'push', cause: expect.any(String) }),
        ),
      );
      expect(JSON.stringify(lines)).not.toContain('Hello');
    },
  );

  test('returns the number of events that AppSync reports as failed', async () => {
    respond = (response) => response.end('{"successful":[],"failed":[{"index":0,"code":500}]}');
    expect(await publish(event(1), event(2))).toBe(1);
  });

  test('counts an event as lost if the deadline passes before AppSync replies', async () => {
    respond = () => {};
    expect(await withDeadline(50, () => publish(event(1)))).toBe(1);
  });

  test('counts all events as lost if no endpoint is configured', async () => {
    const { PUSH_URL } = process.env;
    delete process.env.PUSH_URL;
    expect(await publish(event(1))).toBe(1);
    process.env.PUSH_URL = PUSH_URL;
  });
});
