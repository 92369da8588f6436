import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';

export interface Step {
  script: string;
  /** The API is expected to answer with an error. */
  isRefused: boolean;
}

export interface Outcome {
  state: 'done' | 'failed' | 'not run, as one before it failed';
  output: string;
  complaints: string;
}

/**
 * The reader's curl, but an error reply that is not expected ends the session; and what stands between the steps: a
 * character that is in no reply.
 */
const preparation = `
curl() { command curl --show-error --fail-with-body "$@" || [ "$is_refused" ]; }
step() { is_refused=$1; printf '\\0'; printf '\\0' >&2; }`;

const timeoutMilliseconds = 50_000;

/** Runs scripts one after the other in one bash, as if typed into one terminal; it ends at the first that fails. */
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

/** A script has come to its end if another step was begun after it. */
function stateOf(script: number, begun: number): Outcome['state'] {
  if (begun > script + 1) return 'done';
  return begun === script + 1 ? 'failed' : 'not run, as one before it failed';
}
