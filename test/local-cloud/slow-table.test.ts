import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';

const calls: string[] = [];
let cloud: Cloud;

beforeAll(async () => {
  cloud = await startTestCloud({
    onTableCall: async ({ functionId, operation }) => {
      if (!functionId.startsWith('People')) return undefined;
      calls.push(operation);
      await new Promise((done) => setTimeout(done, 1500));
      return undefined;
    },
  });
});
afterAll(() => cloud.stop());

test('In the local cloud, a function waits longer for a table call than on AWS, and does not retry the call', async () => {
  const response = await fetch(`${cloud.url}/v1/settings`, {
    headers: { Authorization: `Bearer ${await cloud.token('ann')}` },
  });
  expect([response.status, calls]).toEqual([200, ['GetItem']]);
});
