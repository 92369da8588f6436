import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');

function run(...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/cost.ts', ...parameters], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, complaint: stderr.split(/\n|\. To/)[0] };
}

describe('npm run cost', () => {
  test('tells its options, one for each operation', () => {
    const { status, stdout } = run('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('  --messages-send N              or --sends N\n');
    expect(stdout).toContain('  --conversations-update N\n');
  });

  test.each([
    [['--mails', '1'], "Unknown option '--mails'"],
    [['--sends', 'many'], "--sends must be a number such as 5000000 or 5_000_000, not 'many'."],
    [
      ['--sends', '1', '--messages-send', '1'],
      'Give --messages-send or --sends: they are the same.',
    ],
  ])('%j is refused', (parameters, complaint) => {
    expect(run(...parameters)).toEqual({ status: 1, stdout: '', complaint });
  });
});
