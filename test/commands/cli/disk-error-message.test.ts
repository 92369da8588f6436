import { accessSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { toDiskErrorMessage } from '../../../commands/cli/disk-error-message.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireWritable } from '../../../local-cloud/data-lock.ts';
import { temporaryFolder } from '../../local-cloud/small-stack.ts';

const catchError = (act: () => void): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
};

/** A device that is always full, on systems that have it. */
const full = '/dev/full';
const hasFull = (() => {
  try {
    accessSync(full);
    return true;
  } catch {
    return false;
  }
})();

describe('A disk error is reported in one line', () => {
  const whenFull = hasFull ? 'for a full disk' : `for a full disk (skipped: there is no ${full})`;
  (hasFull ? test : test.skip)(whenFull, () => {
    const error = catchError(() => writeFileSync(full, 'x'));
    expect(toDiskErrorMessage(error, '--data')).toMatch(
      /^The disk is full: cannot write .* Free some space, or choose another path with --data\.$/,
    );
  });

  test('for a full disk in a child process', () => {
    const printed = `node:fs\n  at x\nError: ENOSPC: no space left on device, open '/d/asset'\n    at y`;
    const problem = new Problem(`The CDK app failed:\n${printed}`);
    expect([toDiskErrorMessage(problem, '--data'), toDiskErrorMessage(problem)]).toEqual([
      'The disk is full: cannot write /d/asset. Free some space, or choose another path with --data.',
      'The disk is full: cannot write /d/asset. Free some space.',
    ]);
  });

  test('for a read-only disk', () => {
    const error = new Error("EROFS: read-only file system, open '/d/issuer-key.json'");
    expect([toDiskErrorMessage(error, '--data'), toDiskErrorMessage(error)]).toEqual([
      'No permission to write /d/issuer-key.json (EROFS). Choose another path with --data.',
      'No permission to write /d/issuer-key.json (EROFS).',
    ]);
  });

  test('for missing permissions, without distinguishing reads from writes', () => {
    const error = new Error("EACCES: permission denied, open '/d/x.ndjson'");
    expect([toDiskErrorMessage(error, '--file'), toDiskErrorMessage(error)]).toEqual([
      'No permission to read or write /d/x.ndjson (EACCES). Choose another path with --file.',
      'No permission to read or write /d/x.ndjson (EACCES).',
    ]);
  });

  test('but any other error is not', () => {
    for (const text of [
      "ENOENT: no such file or directory, open 'x'",
      'listen EACCES: permission denied 127.0.0.1:80',
    ]) {
      expect(toDiskErrorMessage(new Error(text))).toBeUndefined();
    }
  });
});

test('A data folder that cannot be written to is reported with its path', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(() => requireWritable(join(file, 'below'))).toThrow(
    /^Cannot write to .*below \(.*\): choose another folder with --data\.$/,
  );
});
