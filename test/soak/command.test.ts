import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');

const soakWith = (...options: string[]) =>
  new Promise<{ failed: boolean; output: string }>((resolve) => {
    execFile(
      process.execPath,
      ['test/soak/command.ts', ...options],
      { cwd: root },
      (error, out, err) => resolve({ failed: error !== null, output: out + err }),
    );
  });

test('npm run soak tells its options', async () => {
  const { failed, output } = await soakWith('--help');
  expect(failed).toBe(false);
  expect(output).toMatch(/--minutes N .*--people N .*--seed N /s);
});

test('npm run soak refuses what it does not understand, and says what it would', async () => {
  expect(await soakWith('--minutes', 'ten')).toEqual({
    failed: true,
    output: "--minutes takes a number from 0.01 to 1440, not 'ten'.\n",
  });
  expect(await soakWith('--people', '1.5')).toMatchObject({
    failed: true,
    output: expect.stringContaining('a whole number'),
  });
  expect(await soakWith('--hours', '1')).toMatchObject({
    failed: true,
    output: expect.stringContaining('--minutes N'),
  });
});
