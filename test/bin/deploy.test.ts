import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');

function run(...parameters: string[]) {
  const command = ['bin/deploy.ts', ...parameters];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, complaint: stderr.split(/\n|\. To/)[0] };
}

describe('npm run deploy', () => {
  test.each([
    [[], 'Say which stage: --stage NAME, such as --stage dev.'],
    [
      ['--stage', 'nowhere', '--yes'],
      "There is no stage 'nowhere': lib/stages.ts has dev, staging, prod.",
    ],
    [
      ['--stage', 'dev'],
      'There is nobody to ask here: give --yes to go on without being asked, or run this in a terminal.',
    ],
    [['--stge', 'dev'], "Unknown option '--stge'"],
  ])('%j is refused before anything runs', (parameters, complaint) => {
    expect(run(...parameters)).toEqual({ status: 1, stdout: '', complaint });
  });
});
