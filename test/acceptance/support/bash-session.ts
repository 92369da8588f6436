import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface Step {
  script: string;
  isRefused: boolean;
}

export interface Outcome {
  state: 'done' | 'failed' | 'not run, because an earlier step failed';
  output: string;
  complaints: string;
}

/**
 * Wraps curl so that an unexpected error reply ends the session. Before each step, prints NUL, a
 * separator that occurs in no reply.
 */
const preparation = `
curl() { command curl --show-error --fail-with-body "$@" || [ "$is_refused" ]; }
step() { is_refused=$1; printf '\\0'; printf '\\0' >&2; }`;

/** Timeout below Jest's limit for the calling hook, so that the caller can report the slow step. */
const timeoutMilliseconds = 220_000;

/** Runs scripts sequentially in one bash process, in a new folder. Stops at the first failure. */
export async function runInBash(
  steps: Step[],
  variables: Record<string, string>,
): Promise<Outcome[]> {
  const directory = mkdtempSync(join(tmpdir(), 'messaging-docs-'));
  const scripts = steps.map(({ script, isRefused }) => `step '${isRefused || ''}'\n${script}`);
  const bash = spawn(
    'bash',
    ['-euo', 'pipefail', '-c', [preparation, ...scripts, "step ''"].join('\n')],
    {
      cwd: directory,
      env: { ...process.env, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMilliseconds,
    },
  );
  const [output, complaints] = await Promise.all([text(bash.stdout), text(bash.stderr)]);
  rmSync(directory, { recursive: true, force: true });
  const [, ...outputs] = output.split('\0');
  const [, ...complaintsOf] = complaints.split('\0');
  return steps.map((_, n) => ({
    state: stateOf(n, outputs.length),
    output: outputs[n] ?? '',
    complaints: complaintsOf[n] ?? '',
  }));
}

/** Returns the state of a script. If the next step has started, the script has completed. */
function stateOf(script: number, begun: number): Outcome['state'] {
  if (begun > script + 1) return 'done';
  return begun === script + 1 ? 'failed' : 'not run, because an earlier step failed';
}
