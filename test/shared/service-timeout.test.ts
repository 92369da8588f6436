import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listen } from '../../local-cloud/listen.ts';

let address: string;
let close: () => Promise<void>;

beforeAll(async () => {
  // This server never replies.
  const listening = await listen(
    createServer(() => {}),
    0,
  );
  close = listening.close;
  address = `http://127.0.0.1:${listening.port}/`;
  Object.assign(process.env, {
    SERVICE_TIMEOUT_MILLISECONDS: '50',
    AWS_ENDPOINT_URL_DYNAMODB: address,
  });
});
afterAll(() => close());

test.each<[string, () => Promise<unknown>, string]>([
  [
    'DynamoDB',
    async () => (await import('../../shared/table/calls/table-client.ts')).client.call('Query', {}),
    'No data within 50 ms.',
  ],
  [
    'other AWS services',
    async () =>
      (await import('../../shared/signing/send-signed.ts')).services.transport({
        method: 'POST',
        url: new URL(address),
        headers: {},
      }),
    'No data within 50 ms.',
  ],
  [
    'the key server',
    async () => (await import('../../shared/http/auth/fetch-key-set.ts')).fetchKeySet(address),
    'The operation was aborted',
  ],
])(
  'SERVICE_TIMEOUT_MILLISECONDS replaces the time limit of calls to %s',
  async (_, call, message) => {
    await expect(call()).rejects.toThrow(message);
  },
);
