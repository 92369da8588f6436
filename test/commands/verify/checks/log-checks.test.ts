import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { logChecks } from '../../../../commands/verify/checks/log-checks.ts';
import { runCheck } from '../../../../commands/verify/target/check.ts';
import { findTarget, type VerifyTarget } from '../../../../commands/verify/target/target.ts';
import type { Cloud } from '../../../../local-cloud/cloud.ts';
import { temporaryFolder } from '../../../local-cloud/small-stack.ts';
import { startTestCloud } from '../../../support/processes/start-test-cloud.ts';
import { waitUntil } from '../../../support/processes/wait-until.ts';

const logs = mockClient(CloudWatchLogsClient);
const printed: string[] = [];
let cloud: Cloud;
let target: VerifyTarget;

/** Presents a local cloud as a deployed stage that stores its functions' logs. */
beforeAll(async () => {
  const directory = temporaryFolder();
  cloud = await startTestCloud({
    dataDirectory: directory,
    log: (line) => printed.push(line),
  });
  const noOptions = { yesProd: false, environment: {} };
  target = {
    ...(await findTarget({ ...noOptions, local: true, directory })),
    kind: 'stage',
    deployed: {
      resources: async () => ['messaging-x-AuthorizerLog', 'messaging-x-AccessLog'],
      logGroup: async (description) => `log of ${description}`,
      mayQuery: async () => true,
    },
  };
});
afterAll(async () => {
  await cloud.stop();
});

/** Mocks CloudWatch Logs to return the printed lines. Adds `more` to each line's write units. */
function mockLogs(more: number): void {
  logs.reset();
  logs.on(FilterLogEventsCommand).callsFake(async ({ filterPattern = '' }) => {
    const id = filterPattern.replaceAll('"', '');
    await waitUntil(() => printed.some((line) => line.includes(id)));
    const line = printed.find((one) => one.includes(id)) ?? '';
    const message = line
      .slice(line.indexOf('{'))
      .replace(/"write_units":(\d+)/, (_, units) => `"write_units":${Number(units) + more}`);
    return { events: [{ message }] };
  });
}

test.each([
  ['passes for the units that AWS charges', 2, 'ok'],
  ['fails for the units that DynamoDB Local reports', 0, 'failed'],
])(
  'The check of the access log passes, and the check of the write units in the function’s log %s',
  async (_, more, state) => {
    mockLogs(more);
    const findings = [];
    for (const check of logChecks(target).checks) findings.push(await runCheck(check));
    expect(findings.map((one) => one.state)).toEqual(['ok', state]);
    expect(findings[1]?.seen).toMatch(/^\d+ write units$/);
    const groups = logs.commandCalls(FilterLogEventsCommand).map(({ args }) => args[0].input);
    expect(groups.map(({ logGroupName }) => logGroupName)).toEqual([
      'messaging-x-AccessLog',
      'log of POST /v1/messages:',
    ]);
  },
);
