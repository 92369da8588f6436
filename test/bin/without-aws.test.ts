import { spawnSync } from 'node:child_process';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');

/** From a terminal that knows nothing of AWS but what is said. */
function run(command: string, parameters: string[], variables: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`bin/${command}.ts`, ...parameters],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        AWS_CONFIG_FILE: devNull,
        AWS_SHARED_CREDENTIALS_FILE: devNull,
        AWS_EC2_METADATA_DISABLED: 'true',
        ...variables,
      },
    },
  );
  // A word of the SDK's own about the version of Node is no concern of these tests.
  const complaint = stderr.split('\n(node:')[0]?.trim();
  return { status, stdout, complaint };
}

const region = 'There is no AWS region: set AWS_REGION, as in `export AWS_REGION=eu-central-1`.';
const credentials =
  'There are no AWS credentials: set AWS_PROFILE, as in `export AWS_PROFILE=acme-staging`, or sign in with `aws sso login` (Could not load credentials from any providers).';
const page = 'See docs/deploy.md#2-credentials.';

const dev = ['--stage', 'dev'];
const commands: Record<string, string[]> = {
  deploy: [...dev, '--yes', '--no-checks'],
  destroy: [...dev, '--yes'],
  rollback: [...dev, '--yes'],
  restore: [...dev, '--to', 'latest'],
  export: [...dev, '--bucket', 'exports'],
  redrive: dev,
  'import-businesses': ['businesses.json', ...dev],
  token: [...dev, '--user', 'qa-ann'],
};

describe.each(Object.entries(commands))('npm run %s', (command, parameters) => {
  test('says in one line what to set where there are neither credentials nor a region', () => {
    expect(run(command, parameters)).toEqual({
      status: 1,
      stdout: '',
      complaint: `${region} ${credentials} ${page}`,
    });
  });

  test('says how to use it', () => {
    const { status, stdout, complaint } = run(command, ['--help']);
    expect([status, complaint]).toEqual([0, '']);
    expect(stdout).toContain(`npm run ${command === 'token' ? '-s token' : command} -- `);
    expect(stdout).toMatch(/--stage (NAME|STAGE)/);
  });
});

test('Of credentials and region only what is missing is said', () => {
  const AWS_REGION = 'eu-central-1';
  expect(run('redrive', dev, { AWS_REGION }).complaint).toBe(`${credentials} ${page}`);
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  expect(run('redrive', dev, keys).complaint).toBe(`${region} ${page}`);
});
