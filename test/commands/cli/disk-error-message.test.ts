import { accessSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { toDiskErrorMessage } from '../../../commands/cli/disk-error-message.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireWritable } from '../../../local-cloud/data-lock.ts';
import { temporaryFolder } from '../../local-cloud/small-stack.ts';

const catchError = (action: () => void): unknown => {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
};

/** A device on which every write fails with ENOSPC. Exists only on some systems. */
const full = '/dev/full';
const hasFull = (() => {
  try {
    accessSync(full);
    return true;
  } catch {
    return false;
  }
})();

describe('The one-line message for', () => {
  const whenFull = hasFull
    ? 'a full disk suggests freeing space'
    : `a full disk (skipped: there is no ${full})`;
  (hasFull ? test : test.skip)(whenFull, () => {
    const error = catchError(() => writeFileSync(full, 'x'));
    expect(toDiskErrorMessage(error, '--data')).toMatch(
      /^The disk is full: cannot write .* Free some space, or choose another path with --data\.$/,
    );
  });

  test('a full-disk error in a child process names the path', () => {
    const printed = `node:fs\n  at x\nError: ENOSPC: no space left on device, open '/d/asset'\n    at y`;
    const problem = new Problem(`The CDK app failed:\n${printed}`);
    expect([toDiskErrorMessage(problem, '--data'), toDiskErrorMessage(problem)]).toEqual([
      'The disk is full: cannot write /d/asset. Free some space, or choose another path with --data.',
      'The disk is full: cannot write /d/asset. Free some space.',
    ]);
  });

  test('a read-only disk names the path', () => {
    const error = new Error("EROFS: read-only file system, open '/d/issuer-key.json'");
    expect([toDiskErrorMessage(error, '--data'), toDiskErrorMessage(error)]).toEqual([
      'No permission to write /d/issuer-key.json (EROFS). Choose another path with --data.',
      'No permission to write /d/issuer-key.json (EROFS).',
    ]);
  });

  test('missing permissions does not distinguish reads from writes', () => {
    const error = new Error("EACCES: permission denied, open '/d/x.ndjson'");
    expect([toDiskErrorMessage(error, '--file'), toDiskErrorMessage(error)]).toEqual([
      'No permission to read or write /d/x.ndjson (EACCES). Choose another path with --file.',
      'No permission to read or write /d/x.ndjson (EACCES).',
    ]);
  });

  test('any other error is undefined', () => {
    for (const text of [
      "ENOENT: no such file or directory, open 'x'",
      'listen EACCES: permission denied 127.0.0.1:80',
    ]) {
      expect(toDiskErrorMessage(new Error(text))).toBeUndefined();
    }
  });
});

test('A data folder that is not writable causes an error with its path', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(() => requireWritable(join(file, 'below'))).toThrow(
    /^Cannot write to .*below \(.*\): choose another folder with --data\.$/,
  );
});
