import { spawnSync } from 'node:child_process';
import { devNull } from 'node:os';
import { join } from 'node:path';

/** A terminal has none of what the stack gives a function, which the tests of handlers have set. */
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
/** The environment of whoever calls a command of ours. */
export const terminalEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  ...withoutFunctionVariables,
});

/** A terminal that knows nothing of AWS. */
const withoutAwsVariables = {
  AWS_REGION: undefined,
  AWS_ACCESS_KEY_ID: undefined,
  AWS_SECRET_ACCESS_KEY: undefined,
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  AWS_EC2_METADATA_DISABLED: 'true',
};

/** Runs the file of a command as npm does, in such a terminal; gives what it printed, and the first line that it complained of. */
export function runCommand(file: string, ...parameters: string[]) {
  const { status, stdout, stderr } = runWithEnvironment({}, file, ...parameters);
  return { status, stdout, complaint: stderr.split('\n')[0] };
}

/** The same with variables, and with all that it complained of. */
export function runWithEnvironment(variables: Record<string, string>, ...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, {
    cwd: join(import.meta.dirname, '../../..'),
    encoding: 'utf8',
    env: { ...terminalEnvironment(), ...withoutAwsVariables, ...variables },
  });
  return { status, stdout, stderr };
}
