/**
 * Sets the variables that the stack sets for a function, for handlers that run inside a test. Each
 * test file has a separate database: DynamoDB Local has a database per access key. In Dynoxide,
 * use-table.ts deletes the table after each test file. global-setup.ts starts the engines.
 */
import { randomUUID } from 'node:crypto';
import { clock } from '../../../shared/clock.ts';
import { logOutput } from '../../../shared/log/log.ts';
import { functionVariables } from './function-variables.ts';

const engines = (process.env.TEST_ENGINES ?? '').split(' ');

Object.assign(process.env, {
  ...functionVariables,
  AWS_ENDPOINT_URL_DYNAMODB: engines[Number(process.env.JEST_WORKER_ID) % engines.length],
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: randomUUID().replaceAll('-', ''),
  // The secret key with which the local cloud checks signatures.
  AWS_SECRET_ACCESS_KEY: 'local',
  // Longer than any call takes on a busy machine.
  SERVICE_TIMEOUT_MILLISECONDS: '60000',
  // The CDK's own validation takes most of the synthesis time. The validation runs in
  // test/template-rules/resource-schemas.test.ts.
  CDK_VALIDATION: 'false',
});

// Jest silences only the console, not the functions' log lines.
logOutput.print = () => {};

// Virtual time: each reading advances the clock by one millisecond, and each sleep by its duration,
// so that caches do not expire early on a slow machine. Time starts 20 minutes into the hour,
// because in the last 90 seconds of an hour the live worker publishes each event on two channels.
const hour = 3_600_000;
let virtualNow = Math.floor(Date.now() / hour) * hour + hour / 3;
const { sleep } = clock;
clock.now = () => virtualNow++;
clock.sleep = async (milliseconds) => {
  virtualNow += Math.ceil(milliseconds);
  await sleep(milliseconds);
};
