import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { env } from '../../shared/env.ts';
import { scenarioEnvironment } from '../acceptance/support/scenario-environment.ts';
import { raiseTimeouts } from '../support/processes/raise-timeouts.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';

const limit = 20;
let cloud: Cloud;
beforeAll(async () => {
  const assembly = raiseTimeouts(await readAssembly(env('TEST_ASSEMBLY')));
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
});
afterAll(() => cloud.stop());

test('A person who exceeds the request limit gets 429 while another person gets 200', async () => {
  const { API_URL, ANN, BOB } = await scenarioEnvironment(cloud);
  const list = async (token: string) => {
    const response = await fetch(`${API_URL}/v1/business`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return response.status;
  };
  // The limit ignores counts whose write takes more than 300 ms, as may happen on a busy machine.
  const statuses = [await list(ANN)];
  while (statuses.at(-1) === 200) statuses.push(await list(ANN));
  expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
  // An environment counts ten requests in memory before it writes the count.
  for (let n = 0; n < 10; n++) expect(await list(BOB)).toBe(200);
});
