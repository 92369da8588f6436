import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Starts one of the project's programs as a child process. `printed` resolves with the first match
 * in the output after offset `from`, and rejects if the program exits before there is a match.
 */
export function startProgram(
  command: string[],
  options: { cwd: string; env: Record<string, string | undefined> },
) {
  const child = spawn(process.execPath, command, options);
  let output = '';
  const searches = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      output += String(part);
      for (const search of searches) search();
    });
  }
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, output }));
  });
  const printed = (pattern: RegExp, from = 0) =>
    new Promise<string[]>((resolve, reject) => {
      const search = () => {
        const match = pattern.exec(output.slice(from));
        if (!match) return;
        searches.delete(search);
        resolve([...match]);
      };
      searches.add(search);
      search();
      ended.then(() => reject(new Error(`The program exited after printing ${output}`)));
    });
  return { child, printed, ended, length: () => output.length };
}

export async function killProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
