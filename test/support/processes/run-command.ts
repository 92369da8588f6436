import { spawn, spawnSync } from 'node:child_process';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '../../..');

/** Unsets the variables that the stack sets for functions, because a terminal lacks them. */
const withoutFunctionVariables = Object.fromEntries(
  [
    'ALLOWED_ORIGINS',
    'FEEDS',
    'LIVE_HOST',
    'LIVE_URL',
    'METRICS_NAMESPACE',
    'PUSH_URL',
    'TABLE_NAME',
  ].map((name) => [name, undefined]),
);
export const terminalEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  ...withoutFunctionVariables,
});

const withoutAwsVariables = {
  AWS_REGION: undefined,
  AWS_ACCESS_KEY_ID: undefined,
  AWS_SECRET_ACCESS_KEY: undefined,
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  AWS_EC2_METADATA_DISABLED: 'true',
};

/** Runs a command file as npm does. Returns the status, output, and first line of error output. */
export function runCommand(file: string, ...parameters: string[]) {
  const { status, stdout, stderr } = runWithEnvironment({}, file, ...parameters);
  return { status, stdout, errorLine: stderr.split('\n')[0] };
}

export function runWithEnvironment(variables: Record<string, string>, ...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, {
    cwd: root,
    encoding: 'utf8',
    env: { ...terminalEnvironment(), ...withoutAwsVariables, ...variables },
  });
  return { status, stdout, stderr };
}

/** Runs a command file while this process serves the API. */
export async function runBesideCloud(file: string, ...parameters: string[]) {
  const child = spawn(process.execPath, [file, ...parameters], {
    cwd: root,
    env: terminalEnvironment(),
  });
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  return { status, stdout, stderr };
}
