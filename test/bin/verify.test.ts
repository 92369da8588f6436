import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Finding } from '../../commands/verify/target/check.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { listen } from '../../local-cloud/listen.ts';
import { temporaryFolder } from '../local-cloud/small-stack.ts';
import { terminalEnvironment } from '../support/processes/run-command.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { thoroughDescribe } from '../support/setup/sample-size.ts';
import { findRemainingItems } from '../support/table/remaining-items.ts';

const root = join(import.meta.dirname, '../..');

const verify = (...parameters: string[]) => verifyUntil(undefined, parameters);

/** If a pattern is given, sends SIGINT when the output matches it. */
async function verifyUntil(interruptAt: RegExp | undefined, parameters: readonly string[]) {
  const child = spawn(process.execPath, ['bin/verify.ts', ...parameters], {
    cwd: root,
    env: {
      ...terminalEnvironment(),
      API_URL: undefined,
      ANN: undefined,
      BOB: undefined,
      CAROL: undefined,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((settle) => child.once('close', settle));
  let interrupted = false;
  child.stdout.on('data', (part) => {
    if (interrupted || !interruptAt?.test(String(part))) return;
    interrupted = true;
    child.kill('SIGINT');
  });
  const [printed, complaints, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ]);
  return { printed, complaints, code };
}

const findingsIn = (printed: string): Finding[] => JSON.parse(printed);

thoroughDescribe('npm run verify -- --local', () => {
  const dataDirectory = temporaryFolder();
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = await startTestCloud({ dataDirectory });
  });
  afterAll(() => cloud.stop());

  test("passes all checks that apply to the local cloud, reports the rest as not checkable, and deletes its users' data", async () => {
    const { printed, complaints, code } = await verify(
      '--local',
      '--data',
      dataDirectory,
      '--json',
    );
    expect(complaints).toBe('');
    const findings = findingsIn(printed);
    expect(findings.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(code).toBe(0);
    expect(findings.map(({ check, state }) => `${state} ${check.split(':')[0]}`)).toEqual([
      'ok Version',
      ...Array(5).fill('ok Index queries'),
      'ok Transactions',
      ...Array(8).fill('ok Refusals'),
      ...Array(2).fill('ok Browsers'),
      'not checkable Browsers',
      ...Array(4).fill('ok Reference'),
      'ok Push',
      'not checkable TLS',
      'not checkable Domain',
      'not checkable Table',
      'ok Table',
      'not checkable Table',
      ...Array(2).fill('not checkable Alarms'),
      ...Array(findings.filter(({ check }) => check.startsWith('Scenarios')).length).fill(
        'ok Scenarios',
      ),
      ...Array(2).fill('not checkable Logs'),
      'ok Purge',
      'ok Cleanup',
    ]);
    const scenarios = findings.filter(({ check }) => check.startsWith('Scenarios'));
    expect(scenarios.map(({ check }) => check)).toContain('Scenarios: A message from Ann to Bob');
    expect(await findRemainingItems(cloud)).toEqual([]);
  }, 300_000);

  test("after Ctrl-C, runs no further checks and deletes its users' data", async () => {
    const { printed, code } = await verifyUntil(/Refusals/, ['--local', '--data', dataDirectory]);
    expect(code).toBe(1);
    expect(printed).not.toContain('Scenarios');
    expect(printed).toContain('ok             Cleanup');
    expect(await findRemainingItems(cloud)).toEqual([]);
  });
});

describe('npm run verify', () => {
  test('exits with code 1 after a failed check, and prints the expected value, the observed value and the remedy', async () => {
    const server = createServer((_, response) => response.end('hello'));
    const { port, close } = await listen(server, 0);
    const { printed, code } = await verify('--url', `http://127.0.0.1:${port}/`);
    await close();
    expect(code).toBe(1);
    const lines = printed.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        `Verifying http://127.0.0.1:${port}/ at http://127.0.0.1:${port}`,
        'not checkable  Index queries: flagged conversations (gsi3): no tokens are available: set the environment variables ANN, BOB and CAROL to tokens; Ann must share one group with Bob and another with Carol',
        'failed         Refusals: a request without a token: expected 401 token_missing with WWW-Authenticate: Bearer, in the error format; found 200',
        '               → see UNAUTHORIZED in lib/constructs/api/gateway-responses.ts',
        'not checkable  Alarms: each has actions, and none is in state ALARM: only the URL of the API is known: specify --stage NAME',
      ]),
    );
    expect(lines.at(-2)).toMatch(/^0 ok, \d+ failed, \d+ not checkable here$/);
  });

  test.each([
    [[], 'error: Specify a target: --stage NAME, --local, or --url https://….'],
    [
      ['--stage', 'dev', '--local'],
      "error: option '--local' cannot be used with option '--stage <name>'",
    ],
    [
      ['--local', '--data', '/nowhere'],
      'No local cloud is running in /nowhere: start one with `npm start`, or give --stage NAME for a deployed stage.',
    ],
  ])('rejects %j with a message', async (parameters, message) => {
    const { printed, complaints, code } = await verify(...parameters);
    expect([printed, complaints.split('\n')[0], code]).toEqual(['', message, 1]);
  });
});
