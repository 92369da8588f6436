import { accessSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { toDiskErrorMessage } from '../../../commands/cli/disk-error-message.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireWritable } from '../../../local-cloud/data-lock.ts';
import { temporaryFolder } from '../../local-cloud/small-stack.ts';

const thrownBy = (act: () => void): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
};

/** Always full, where there is one. */
const full = '/dev/full';
const hasFull = (() => {
  try {
    accessSync(full);
    return true;
  } catch {
    return false;
  }
})();

describe('What a disk refuses is told in one line', () => {
  const whenFull = hasFull ? 'when it is full' : `when it is full (skipped: there is no ${full})`;
  (hasFull ? test : test.skip)(whenFull, () => {
    const error = thrownBy(() => writeFileSync(full, 'x'));
    expect(toDiskErrorMessage(error, '--data')).toMatch(
      /^The disk is full: cannot write .* Free some space, or choose another path with --data\.$/,
    );
  });

  test('when it is full for a program that we have started', () => {
    const printed = `node:fs\n  at x\nError: ENOSPC: no space left on device, open '/d/asset'\n    at y`;
    const problem = new Problem(`The CDK app failed:\n${printed}`);
    expect([toDiskErrorMessage(problem, '--data'), toDiskErrorMessage(problem)]).toEqual([
      'The disk is full: cannot write /d/asset. Free some space, or choose another path with --data.',
      'The disk is full: cannot write /d/asset. Free some space.',
    ]);
  });

  test('when it is read-only', () => {
    const error = new Error("EROFS: read-only file system, open '/d/issuer-key.json'");
    expect([toDiskErrorMessage(error, '--data'), toDiskErrorMessage(error)]).toEqual([
      'No permission to write /d/issuer-key.json (EROFS). Choose another path with --data.',
      'No permission to write /d/issuer-key.json (EROFS).',
    ]);
  });

  test('when somebody may not read, or write: which of them, nobody knows', () => {
    const error = new Error("EACCES: permission denied, open '/d/x.ndjson'");
    expect([toDiskErrorMessage(error, '--file'), toDiskErrorMessage(error)]).toEqual([
      'No permission to read or write /d/x.ndjson (EACCES). Choose another path with --file.',
      'No permission to read or write /d/x.ndjson (EACCES).',
    ]);
  });

  test('and nothing of other errors', () => {
    for (const text of [
      "ENOENT: no such file or directory, open 'x'",
      'listen EACCES: permission denied 127.0.0.1:80',
    ]) {
      expect(toDiskErrorMessage(new Error(text))).toBeUndefined();
    }
  });
});

test('A folder in which nothing can be kept is told by its name', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(() => requireWritable(join(file, 'below'))).toThrow(
    /^Cannot write to .*below \(.*\): choose another folder with --data\.$/,
  );
});
