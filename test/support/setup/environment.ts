/**
 * Sets the variables that the stack sets for a function, for handlers that run inside a test. Each
 * test file has its own database: DynamoDB Local has one for each access key, and Dynoxide is
 * emptied by use-table.ts. global-setup.ts starts the engines.
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
  // Same as the key of the local cloud, which checks signatures.
  AWS_SECRET_ACCESS_KEY: 'local',
  // The CDK's own validation takes most of the synthesis time. It runs in
  // test/template-rules/resource-schemas.test.ts.
  CDK_VALIDATION: 'false',
});

// Jest silences only the console, not the functions' log lines.
logOutput.print = () => {};

// Virtual time: one millisecond per reading, and sleeps in whole milliseconds. A slow machine
// therefore expires no cache, which would add a call that a budget test counts. Time starts 20
// minutes into the hour: in the last 90 seconds of an hour, events are published on two channels.
const hour = 3_600_000;
let virtualNow = Math.floor(Date.now() / hour) * hour + hour / 3;
const { sleep } = clock;
clock.now = () => virtualNow++;
clock.sleep = async (milliseconds) => {
  virtualNow += Math.ceil(milliseconds);
  await sleep(milliseconds);
};
