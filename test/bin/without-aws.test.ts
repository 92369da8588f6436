import { describe, expect, test } from '@jest/globals';
import { runWithEnvironment } from '../support/processes/run-command.ts';

/** From a terminal that knows nothing of AWS but what is said. */
function run(command: string, parameters: string[], variables: Record<string, string> = {}) {
  const { status, stdout, stderr } = runWithEnvironment(
    variables,
    `bin/${command}.ts`,
    ...parameters,
  );
  // A word of the SDK's own about the version of Node is no concern of these tests.
  return { status, stdout, complaint: stderr.split('\n(node:')[0]?.trim() };
}

const region = 'No AWS region is set: set AWS_REGION, as in `export AWS_REGION=eu-central-1`.';
const credentials =
  'No AWS credentials found: set AWS_PROFILE, as in `export AWS_PROFILE=acme-staging`, or sign in with `aws sso login` (Could not load credentials from any providers).';
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
  'export-person': [...dev, '--contact', 'bob'],
  'erase-person': [...dev, '--contact', 'bob', '--yes'],
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
});

test('Of credentials and region only what is missing is said', () => {
  const AWS_REGION = 'eu-central-1';
  expect(run('redrive', dev, { AWS_REGION }).complaint).toBe(`${credentials} ${page}`);
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  expect(run('redrive', dev, keys).complaint).toBe(`${region} ${page}`);
});
