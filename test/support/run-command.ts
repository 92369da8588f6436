import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Runs a command of bin/ as npm does; of what it complains of, the first line without Node's advice. */
export function runCommand(name: string, ...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`bin/${name}.ts`, ...parameters],
    { cwd: join(import.meta.dirname, '../..'), encoding: 'utf8' },
  );
  return { status, stdout, complaint: stderr.split(/\n|\. To/)[0] };
}
