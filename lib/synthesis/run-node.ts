import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Runs a Node program until it ends. Kills the program if this process exits first. */
export async function runNode(
  parameters: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<{ failed: boolean; printed: string }> {
  const child = spawn(process.execPath, parameters, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => child.kill();
  process.once('exit', kill);
  const ended = new Promise<number | null>((settle, fail) => {
    child.once('error', fail);
    child.once('close', settle);
  });
  const [printed, errorOutput, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ]);
  process.off('exit', kill);
  return { failed: code !== 0, printed: `${printed}${errorOutput}`.trim() };
}
