import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { versionChecks } from '../../../../commands/verify/checks/version-checks.ts';
import { runCheck } from '../../../../commands/verify/target/check.ts';
import type { VerifyTarget } from '../../../../commands/verify/target/target.ts';
import { version } from '../../../../shared/contract/version.ts';

/**
 * Versions in replies of the gateway and the operations. If a version is undefined, the reply lacks
 * the header.
 */
let versions: { gateway?: string | undefined; operations?: string | undefined };
let url: string;
const stage = createServer(({ headers }, reply) => {
  const [status, version] = headers.authorization
    ? [200, versions.operations]
    : [401, versions.gateway];
  reply.writeHead(status, version === undefined ? {} : { 'Service-Version': version }).end();
});

beforeAll(async () => {
  await new Promise<void>((done) => stage.listen(0, '127.0.0.1', done));
  const address = stage.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterAll(() => {
  stage.close();
});
beforeEach(() => {
  versions = { gateway: version, operations: version };
});

const user = { id: 'ann', token: 'token' };
const users = { all: { ANN: user, BOB: user, CAROL: user } };
const running = (commit?: string) => ({
  output: () => '',
  findOutput: (name: string) => (name === 'Commit' ? commit : undefined),
  dynamodb: {},
  sqs: {},
  s3: {},
  ssm: {},
});

async function runVersionCheck(more: Partial<VerifyTarget> = {}) {
  const [check] = versionChecks({ kind: 'stage', name: 'staging', url, users, ...more });
  if (!check) throw new Error('There is no such check.');
  const { state, seen } = await runCheck(check);
  return [state, seen];
}

test('A stage with the version of this checkout passes the version check, which reports the stage’s commit if it is known', async () => {
  expect(await runVersionCheck({ running: running('b19c82b3c8d5') })).toEqual([
    'ok',
    `${version}, deployed from commit b19c82b3c8d5`,
  ]);
  expect(await runVersionCheck({ running: running() })).toEqual(['ok', version]);
});

test('A stage with another version is not checkable, and its version is reported', async () => {
  versions = { gateway: '99.0.0', operations: '99.0.0' };
  expect(await runVersionCheck()).toEqual([
    'not checkable',
    `the stage has 99.0.0; these checks are for ${version}`,
  ]);
});

test('A stage whose functions were rolled back is reported as not checkable, with both versions', async () => {
  versions.operations = '0.0.1';
  expect(await runVersionCheck()).toEqual([
    'not checkable',
    `the stage has ${version} at the gateway, 0.0.1 in the operations; these checks are for ${version}`,
  ]);
});

test('Without tokens, only the gateway’s version is checked', async () => {
  versions.operations = undefined;
  const [check] = versionChecks({ kind: 'address', name: url, url });
  expect(check && (await runCheck(check))).toMatchObject({ state: 'ok', seen: version });
});

test.each([
  ['gateway', '401'],
  ['operations', '200'],
] as const)('If a reply from the %s has no version, the check fails', async (source, status) => {
  versions[source] = undefined;
  expect(await runVersionCheck()).toEqual(['failed', `${status} without Service-Version`]);
});
