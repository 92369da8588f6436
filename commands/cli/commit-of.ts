import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const describe = ['describe', '--always', '--abbrev=12', '--exclude=*', '--dirty'];

/**
 * The commit that lies in the folder, as `b19c82b3c8d5`, with `-dirty` where a file of it was changed since; undefined
 * without git, or where it knows of none.
 */
export const commitOf = (folder: string): Promise<string | undefined> =>
  run('git', describe, { cwd: folder }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
