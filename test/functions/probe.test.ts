import { createServer, type ServerResponse } from 'node:http';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  jest,
  test,
} from '@jest/globals';
import { handler } from '../../functions/probe.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { audience, issuer } from '../../local-cloud/issuer.ts';
import { listen } from '../../local-cloud/listen.ts';
import '../support/setup/use-table.ts';
import { clock } from '../../shared/clock.ts';
import { closeReport } from '../../shared/table/reports/close-report.ts';
import { listReports } from '../../shared/table/reports/query-reports.ts';
import { report } from '../support/handlers/api-calls.ts';
import { captureLogLines } from '../support/handlers/capture-log-lines.ts';
import { person } from '../support/people/callers.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { interceptCalls } from '../support/table/call-hooks.ts';
import { emptyTable } from '../support/table/empty-table.ts';

const accepted = { TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: audience };

describe('The probe of a local API', () => {
  let cloud: Cloud;
  let closeKeys: () => Promise<void>;
  let keyRequests = 0;

  beforeAll(async () => {
    const keys = createServer((_, response) => {
      keyRequests += 1;
      response.end('{"keys":[]}');
    });
    const { port, close } = await listen(keys, 0);
    closeKeys = close;
    const keysUrl = `http://127.0.0.1:${port}/`;
    cloud = await startTestCloud({ keysUrl });
    Object.assign(process.env, accepted, { API_URL: cloud.url });
  });
  afterAll(async () => {
    await closeKeys();
    await cloud.stop();
  });

  test('reports the API as healthy if the API fetches the issuer’s keys and rejects the token', async () => {
    // On a busy machine, a cold start can exceed the probe's time limit.
    jest.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
    await expect(handler()).resolves.toBeUndefined();
    expect(keyRequests).toBeGreaterThan(0);
  });
});

const right = {
  type: 'invalid_request',
  code: 'token_invalid',
  message: 'x',
  param: null,
  request_id: '1',
  documentation_url: 'x',
};
const headers = { 'Request-Id': '1', 'WWW-Authenticate': 'Bearer' };

describe('The probe', () => {
  let respond: (response: ServerResponse) => void;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const listening = await listen(
      createServer((_, response) => respond(response)),
      0,
    );
    close = listening.close;
    Object.assign(process.env, accepted, { API_URL: `http://127.0.0.1:${listening.port}/` });
  });
  afterAll(async () => close());

  const reply =
    (status: number, body: unknown, responseHeaders: Record<string, string> = headers) =>
    (response: ServerResponse) =>
      response.writeHead(status, responseHeaders).end(JSON.stringify(body));

  test('reports the API as healthy if the API rejects the token with the expected response', async () => {
    respond = reply(401, right);
    await expect(handler()).resolves.toBeUndefined();
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['accepts the probe’s invalid token', reply(200, { data: [] })],
    ['returns 503', reply(503, { ...right, code: 'unavailable' })],
    ['responds with the expected body but another status', reply(503, right)],
    ['responds with an AWS error message', reply(401, { message: 'Unauthorized' })],
    ['responds with another error code', reply(401, { ...right, code: 'token_missing' })],
    ['responds without a request id', reply(401, right, { 'WWW-Authenticate': 'Bearer' })],
    ['responds without an authentication scheme', reply(401, right, { 'Request-Id': '1' })],
    [
      'responds with another authentication scheme',
      reply(401, right, { 'Request-Id': '1', 'WWW-Authenticate': 'Like Bearer' }),
    ],
    ['responds with HTML', (response) => response.end('<html>')],
    ['closes the connection', (response) => response.destroy()],
  ])('reports the API as unhealthy if the API %s', async (_, wrong) => {
    respond = wrong;
    await expect(handler()).rejects.toThrow();
  });
});

describe('After probing the API,', () => {
  let close: () => Promise<void>;
  beforeAll(async () => {
    const listening = await listen(
      createServer((_, response) => response.writeHead(401, headers).end(JSON.stringify(right))),
      0,
    );
    close = listening.close;
    Object.assign(process.env, accepted, { API_URL: `http://127.0.0.1:${listening.port}/` });
  });
  afterAll(async () => close());
  beforeEach(emptyTable);
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const measure = async () => (await captureLogLines(handler)).at(-1)?.open_report_seconds;

  test('the probe logs the age of the oldest open report in seconds, or 0 if none is open', async () => {
    expect(await measure()).toBe(0);
    const start = clock.now();
    const at = (seconds: number) =>
      jest.spyOn(clock, 'now').mockReturnValue(start + seconds * 1000);
    for (const [seconds, id] of [
      [0, 'ann'],
      [60, 'bob'],
    ] as const) {
      at(seconds);
      await report(person(id), { contact_id: id, reason: 'other' });
    }
    at(3600);
    expect(await measure()).toBe(3600);
    const [oldest] = await listReports({ isOpen: true, oldestFirst: true, count: 1 });
    if (oldest) await closeReport(oldest);
    expect(await measure()).toBe(3540);
  });

  test('the probe fails if it cannot read reports', async () => {
    const undo = interceptCalls(async () => {
      throw new Error('The table is broken.');
    });
    await expect(handler()).rejects.toThrow();
    undo();
  });
});
