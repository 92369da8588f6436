import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';

const root = join(import.meta.dirname, '../..');
const data = mkdtempSync(join(tmpdir(), 'messaging-token-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));

const run = (...parameters: string[]) => {
  const command = ['bin/token.ts', '--data', data, ...parameters];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, firstComplaint: stderr.split(/\n|\. To/)[0] };
};

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
  ])('%j is refused', (parameters, firstComplaint) => {
    expect(run(...parameters)).toEqual({ status: 1, stdout: '', firstComplaint });
  });
});
