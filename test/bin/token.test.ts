import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { runCommand, runWithEnvironment } from '../support/processes/run-command.ts';

const data = mkdtempSync(join(tmpdir(), 'messaging-token-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));

const run = (...parameters: string[]) => runCommand('bin/token.ts', '--data', data, ...parameters);

/** Requests a token for a deployed stage, without AWS credentials in the environment. */
const runForStage = (...parameters: string[]) => {
  const environment = { AWS_REGION: 'eu-central-1' };
  const { status, stdout, stderr } = runWithEnvironment(environment, 'bin/token.ts', ...parameters);
  return { status, stdout, errorLine: stderr.split('\n')[0] };
};

const groupless = (value: string) =>
  `error: option '--groups <a,b>' argument '${value}' is invalid. '' must be 1 to 128 characters of A-Z a-z 0-9 _ . : @ | + = , -.`;

describe('npm run token', () => {
  test('prints only a token, with the given groups, profile and lifetime', () => {
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
    [[], 'error: Missing contact id: pass it as the first argument.'],
    [['ann', 'bob'], 'error: too many arguments. Expected 1 argument but got 2: ann, bob.'],
    [
      ['a b'],
      "error: command-argument value 'a b' is invalid for argument 'contact-id'. 'a b' must be 1 to 128 characters of A-Z a-z 0-9 _ . : @ | + = , -.",
    ],
    [['ann', '--groups', 'team,'], groupless('team,')],
    [
      ['ann', '--expires-in', 'soon'],
      "error: option '--expires-in <seconds>' argument 'soon' is invalid. Give a whole number from -9999999999 to 9999999999.",
    ],
    [['ann', '--group', 'team'], "error: unknown option '--group'"],
    [['ann', '--demo'], 'error: Pass a contact id or --demo, not both.'],
    [['--demo'], `No local cloud is running in ${data}: start one with \`npm start\`.`],
    [
      ['--demo', '--groups', 'team'],
      "error: option '--demo' cannot be used with option '--groups <a,b>'",
    ],
    [
      ['--demo', '--shell', 'csh'],
      "error: option '--shell <name>' argument 'csh' is invalid. Allowed choices are sh, fish, powershell.",
    ],
    [['--user', 'qa-ann'], 'error: --user requires --stage.'],
    [['ann', '--leave', 'team'], 'error: --leave requires --stage.'],
    [['ann', '--id'], 'error: --id requires --stage.'],
    [
      ['ann', '--stage', 'dev'],
      "error: option '--data <folder>' cannot be used with option '--stage <name>'",
    ],
  ])('rejects %j', (parameters, message) => {
    expect(run(...parameters)).toEqual({ status: 1, stdout: '', errorLine: message });
  });

  test.each([
    [
      ['--user', 'qa ann'],
      "error: option '--user <name>' argument 'qa ann' is invalid. 'qa ann' must be 1 to 128 characters of A-Z a-z 0-9 _ . : @ | + = , -.",
    ],
    [['--user', 'qa-ann', '--groups', ''], groupless('')],
    [[], 'error: With --stage, pass --user NAME instead of a contact id.'],
    [['ann', '--user', 'qa-ann'], 'error: With --stage, pass --user NAME instead of a contact id.'],
    [
      ['--user', 'qa-ann', '--expires-in', '5'],
      "error: option '--stage <name>' cannot be used with option '--expires-in <seconds>'",
    ],
  ])('rejects --stage dev %j', (parameters, message) => {
    const outcome = runForStage('--stage', 'dev', ...parameters);
    expect(outcome).toEqual({ status: 1, stdout: '', errorLine: message });
  });

  test.each([
    [
      'stagin',
      "error: option '--stage <name>' argument 'stagin' is invalid. There is no stage 'stagin': lib/stages.ts has dev, staging, prod.",
    ],
    [
      'prod',
      'The stage prod retains its data and has real users. To create a test user there, add --yes-prod.',
    ],
    [
      'dev',
      'No AWS credentials found: set AWS_PROFILE, as in `export AWS_PROFILE=acme-staging`, or sign in with `aws sso login` (Could not load credentials from any providers). See docs/deploy.md#2-credentials.',
    ],
  ])('reports why it cannot create a test user of the stage %s', (stage, message) => {
    const outcome = runForStage('--stage', stage, '--user', 'qa-ann');
    expect(outcome).toEqual({ status: 1, stdout: '', errorLine: message });
  });
});
