import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { withDeadline } from '../../../shared/deadline.ts';
import { addPendingFile, findFileType, readFile } from '../../../shared/files/objects.ts';
import { services } from '../../../shared/signing/send-signed.ts';
import type { HttpReply, HttpRequest } from '../../../shared/signing/transport.ts';

const { transport } = services;
let requests: HttpRequest[];

const toReply = (status: number, body = ''): HttpReply => ({
  status,
  headers: { 'content-type': 'image/png' },
  body: Buffer.from(body),
});

/**
 * Makes requests return the replies or throw the errors in order. Further requests repeat the last
 * outcome.
 */
function replyWith(...replies: (HttpReply | Error)[]) {
  services.transport = async (request) => {
    requests.push(request);
    const reply = replies[Math.min(requests.length, replies.length) - 1];
    if (!reply || reply instanceof Error) throw reply;
    return reply;
  };
}

beforeEach(() => {
  requests = [];
  process.env.FILES_URL = 'https://files.s3.eu-central-1.amazonaws.com';
  jest.spyOn(clock, 'sleep').mockResolvedValue();
});
afterEach(() => {
  services.transport = transport;
  jest.restoreAllMocks();
});

test('An S3 call is retried after a lost connection and after an error reply', async () => {
  replyWith(new Error('ECONNRESET'), toReply(503, '<Code>SlowDown</Code>'), toReply(200, 'bytes'));
  expect(await readFile('files/a/b')).toEqual(Buffer.from('bytes'));
  expect(requests.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual(
    Array(3).fill('GET /files/a/b'),
  );
});

test('After three error replies, an S3 call throws unavailable with the reply’s status and body in the cause', async () => {
  replyWith(toReply(403, '<Code>AccessDenied</Code>'));
  await expect(findFileType('files/a/b')).rejects.toMatchObject({
    code: 'unavailable',
    cause: { message: 'The service s3 returned 403: <Code>AccessDenied</Code>' },
  });
  expect(requests).toHaveLength(3);
});

test('An S3 call that exceeds the deadline throws unavailable and is not retried', async () => {
  services.transport = (request, signal) => {
    requests.push(request);
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  };
  await expect(withDeadline(20, () => findFileType('files/a/b'))).rejects.toMatchObject({
    code: 'unavailable',
    cause: new Error('The deadline has passed.'),
  });
  expect(requests).toHaveLength(1);
});

test('Reads of a missing file return undefined, and adding a file that exists does not overwrite it', async () => {
  replyWith(toReply(404));
  expect([await findFileType('files/a/b'), await readFile('files/a/b')]).toEqual([
    undefined,
    undefined,
  ]);
  replyWith(toReply(412));
  await addPendingFile('files/a/b', 'image/png', Buffer.from('bytes'));
  expect(requests.at(-1)).toMatchObject({
    method: 'PUT',
    headers: { 'if-none-match': '*', 'x-amz-tagging': 'state=pending' },
    body: Buffer.from('bytes'),
  });
});
