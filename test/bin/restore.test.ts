import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');

function run(command: string, ...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`bin/${command}.ts`, ...parameters],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, AWS_REGION: undefined, AWS_CONFIG_FILE: join(root, 'no-such-file') },
    },
  );
  return { status, stdout, complaint: stderr.split(/\n|\. To/)[0] };
}

const staging = ['--stage', 'staging'];

describe('npm run restore', () => {
  test.each([
    [['--to', 'latest'], 'Say which stage: --stage NAME, such as --stage dev.'],
    [
      ['--stage', 'stagin', '--to', 'latest'],
      "There is no stage 'stagin': lib/stages.ts has dev, staging, prod.",
    ],
    [staging, 'Say to when: --to 2026-11-21T10:00:00Z, or --to latest.'],
    [
      [...staging, '--to', 'noon'],
      "'noon' is no time of the form 2026-11-21T10:00:00Z, and not latest.",
    ],
    [
      [...staging, '--to', 'latest'],
      'There is no AWS region: set AWS_REGION, as in `export AWS_REGION=eu-central-1`. See docs/deploy.md#2-credentials.',
    ],
    [['--from', 'x'], "Unknown option '--from'"],
  ])('%j is refused', (parameters, complaint) => {
    expect(run('restore', ...parameters)).toEqual({ status: 1, stdout: '', complaint });
  });
});

describe('npm run export', () => {
  test.each([
    [['--bucket', 'b'], 'Say which stage: --stage NAME, such as --stage dev.'],
    [staging, 'Say where to: --bucket BUCKET, --users FILE, or both.'],
    [['--file', 'x'], "Unknown option '--file'"],
  ])('%j is refused', (parameters, complaint) => {
    expect(run('export', ...parameters)).toEqual({ status: 1, stdout: '', complaint });
  });
});
