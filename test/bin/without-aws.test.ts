import { describe, expect, test } from '@jest/globals';
import { runWithEnvironment } from '../support/processes/run-command.ts';

function run(command: string, parameters: string[], variables: Record<string, string> = {}) {
  const { status, stdout, stderr } = runWithEnvironment(
    variables,
    `bin/${command}.ts`,
    ...parameters,
  );
  // Ignores the SDK's warning about the Node version.
  return { status, stdout, errorLine: stderr.split('\n(node:')[0]?.trim() };
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
  reports: ['list', ...dev],
  'export-person': [...dev, '--contact', 'bob'],
  'erase-person': [...dev, '--contact', 'bob', '--yes'],
  token: [...dev, '--user', 'qa-ann'],
};

describe.each(Object.entries(commands))('npm run %s', (command, parameters) => {
  test('if credentials and region are missing, reports in one line how to set both', () => {
    expect(run(command, parameters)).toEqual({
      status: 1,
      stdout: '',
      errorLine: `${region} ${credentials} ${page}`,
    });
  });
});

test('If only the credentials or only the region is missing, the error reports only that setting', () => {
  const AWS_REGION = 'eu-central-1';
  expect(run('redrive', dev, { AWS_REGION }).errorLine).toBe(`${credentials} ${page}`);
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  expect(run('redrive', dev, keys).errorLine).toBe(`${region} ${page}`);
});
