import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { env } from '../../shared/env.ts';
import { scenarioEnvironment } from '../acceptance/support/scenario-environment.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';

const limit = 20;
let cloud: Cloud;
beforeAll(async () => {
  const assembly = await readAssembly(env('TEST_ASSEMBLY'));
  for (const { Type, Properties } of Object.values(assembly.template.Resources)) {
    // Only stages with a firewall have this limit.
    if (Type === 'AWS::Lambda::Function') {
      Object.assign(Object(Properties.Environment).Variables, {
        REQUESTS_PER_MINUTE_PER_PERSON: String(limit),
      });
    }
    if (Type === 'AWS::IAM::Role') {
      for (const { PolicyDocument } of Object(Properties).Policies ?? []) {
        PolicyDocument.Statement.push({
          Effect: 'Allow',
          Action: 'dynamodb:UpdateItem',
          Resource: '*',
        });
      }
    }
  }
  cloud = await startTestCloud({
    assembly,
    log: () => {},
  });
}, 120_000);
afterAll(() => cloud.stop());

test('A person above the request limit gets 429 while another person gets 200', async () => {
  const { API_URL, ANN, BOB } = await scenarioEnvironment(cloud);
  const list = async (token: string) => {
    const response = await fetch(`${API_URL}/v1/business`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return response.status;
  };
  // More requests than the limit admits in two minutes, in case a minute ends during the test.
  const statuses: number[] = [];
  for (let n = 0; n < 4 * limit; n++) {
    statuses.push(await list(ANN));
    if (n % 10 === 0) expect(await list(BOB)).toBe(200);
  }
  expect(statuses).toContain(200);
  expect(statuses).toContain(429);
  expect(new Set(statuses).size).toBe(2);
}, 60_000);
