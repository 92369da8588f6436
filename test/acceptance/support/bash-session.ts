import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';

export interface Step {
  script: string;
  /** The API is expected to return an error. */
  isRefused: boolean;
}

export interface Outcome {
  state: 'done' | 'failed' | 'not run, as an earlier step failed';
  output: string;
  complaints: string;
}

/**
 * Wraps curl so that an unexpected error reply ends the session, and prints a separator between
 * steps: a character that occurs in no reply.
 */
const preparation = `
curl() { command curl --show-error --fail-with-body "$@" || [ "$is_refused" ]; }
step() { is_refused=$1; printf '\\0'; printf '\\0' >&2; }`;

const timeoutMilliseconds = 50_000;

/**
 * Runs scripts sequentially in one bash process, as if typed into one terminal. Stops at the first
 * failure.
 */
export async function runInBash(
  steps: Step[],
  variables: Record<string, string>,
): Promise<Outcome[]> {
  const scripts = steps.map(({ script, isRefused }) => `step '${isRefused || ''}'\n${script}`);
  const bash = spawn(
    'bash',
    ['-euo', 'pipefail', '-c', [preparation, ...scripts, "step ''"].join('\n')],
    {
      cwd: tmpdir(),
      env: { ...process.env, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMilliseconds,
    },
  );
  const [output, complaints] = await Promise.all([text(bash.stdout), text(bash.stderr)]);
  const [, ...outputs] = output.split('\0');
  const [, ...complaintsOf] = complaints.split('\0');
  return steps.map((_, n) => ({
    state: stateOf(n, outputs.length),
    output: outputs[n] ?? '',
    complaints: complaintsOf[n] ?? '',
  }));
}

/** Returns the state of a script, which has completed if the next step has started. */
function stateOf(script: number, begun: number): Outcome['state'] {
  if (begun > script + 1) return 'done';
  return begun === script + 1 ? 'failed' : 'not run, as an earlier step failed';
}
