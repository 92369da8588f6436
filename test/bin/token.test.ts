import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';

const root = join(import.meta.dirname, '../..');
const data = mkdtempSync(join(tmpdir(), 'messaging-token-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));

const run = (...parameters: string[]) => {
  const command = ['bin/token.ts', '--data', data, ...parameters];
  return outcomeOf(command);
};

/** For a deployed stage, from a terminal without AWS credentials. */
const runForStage = (...parameters: string[]) => outcomeOf(['bin/token.ts', ...parameters]);

function outcomeOf(command: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: 'utf8',
    env: {
      AWS_CONFIG_FILE: devNull,
      AWS_SHARED_CREDENTIALS_FILE: devNull,
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_REGION: 'eu-central-1',
    },
  });
  return { status, stdout, firstComplaint: stderr.split(/\n|\. To/)[0] };
}

describe('npm run token', () => {
  test('prints a token and nothing else', () => {
    const profile = [
      '--username',
      'Ann',
      '--phone-number',
      '+1',
      '--picture',
      'https://a.example/b.png',
    ];
    const { status, stdout } = run(
      'ann',
      '--groups',
      'team,friends',
      '--expires-in',
      '60',
      ...profile,
    );
    const { iat = 0, exp = 0, ...claims } = decodeJwt(stdout.trim());
    expect({ status, lines: stdout.split('\n').length, seconds: exp - iat }).toEqual({
      status: 0,
      lines: 2,
      seconds: 60,
    });
    expect(claims).toMatchObject({
      sub: 'ann',
      groups: ['team', 'friends'],
      username: 'Ann',
      phone_number: '+1',
      picture: 'https://a.example/b.png',
    });
  });

  test.each([
    [[], 'Give one contact id.'],
    [['ann', 'bob'], 'Give one contact id.'],
    [['a b'], "The contact id 'a b' must be 1 to 128 characters of A-Z a-z 0-9 _ . : @ | + = , -."],
    [
      ['ann', '--groups', 'team,'],
      "The group '' must be 1 to 128 characters of A-Z a-z 0-9 _ . : @ | + = , -.",
    ],
    [['ann', '--expires-in', 'soon'], "'soon' is no number of seconds."],
    [['ann', '--group', 'team'], "Unknown option '--group'"],
    [['--user', 'qa-ann'], '--user takes a --stage.'],
    [['ann', '--leave', 'team'], '--leave takes a --stage.'],
    [['ann', '--id'], '--id takes a --stage.'],
    [['ann', '--stage', 'dev'], '--data is for the local cloud, and goes without --stage.'],
  ])('%j is refused', (parameters, firstComplaint) => {
    expect(run(...parameters)).toEqual({ status: 1, stdout: '', firstComplaint });
  });

  test.each([
    [
      ['--user', 'qa ann'],
      "The user 'qa ann' must be 1 to 128 characters of A-Z a-z 0-9 _ . : @ | + = , -.",
    ],
    [
      ['--user', 'qa-ann', '--groups', ''],
      "The group '' must be 1 to 128 characters of A-Z a-z 0-9 _ . : @ | + = , -.",
    ],
    [[], 'For a stage give one --user NAME, and no contact id.'],
    [['ann', '--user', 'qa-ann'], 'For a stage give one --user NAME, and no contact id.'],
    [
      ['--user', 'qa-ann', '--expires-in', '5'],
      '--expires-in is for the local cloud, and goes without --stage.',
    ],
  ])('--stage dev %j is refused', (parameters, firstComplaint) => {
    const outcome = runForStage('--stage', 'dev', ...parameters);
    expect(outcome).toEqual({ status: 1, stdout: '', firstComplaint });
  });

  test.each([
    ['stagin', "There is no stage 'stagin': lib/stages.ts has dev, staging, prod."],
    [
      'prod',
      'The stage prod keeps its data, and a test user among its people: say --yes-prod if that is meant.',
    ],
    [
      'dev',
      'There are no AWS credentials: set AWS_PROFILE, as in `export AWS_PROFILE=acme-staging`, or sign in with `aws sso login` (Could not load credentials from any providers). See docs/deploy.md#2-credentials.',
    ],
  ])('for a test user of %s says what is wrong', (stage, firstComplaint) => {
    const outcome = runForStage('--stage', stage, '--user', 'qa-ann');
    expect(outcome).toEqual({ status: 1, stdout: '', firstComplaint });
  });
});
