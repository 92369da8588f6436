import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const describe = ['describe', '--always', '--abbrev=12', '--exclude=*', '--dirty'];

/**
 * Returns the checked-out commit of the folder, such as `b19c82b3c8d5`, with the suffix `-dirty` if
 * a tracked file was changed. Returns undefined if git is missing, or if the folder is not in a
 * repository.
 */
export const readCommit = (folder: string): Promise<string | undefined> =>
  run('git', describe, { cwd: folder }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
