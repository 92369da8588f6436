import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { readCommit } from '../../../commands/cli/read-commit.ts';
import { readCommitContext, toCommitOptions } from '../../../commands/deploy/commit-context.ts';
import { getStage } from '../../../lib/stages.ts';
import { createStack } from '../../support/template/create-stack.ts';
import { getTemplate } from '../../support/template/get-template.ts';

describe('The commit of a folder', () => {
  let folder: string;
  const file = () => join(folder, 'file');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'messaging-commit-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('is the abbreviated hash, with the suffix -dirty if a file has changed', async () => {
    git('init', '--quiet');
    writeFileSync(file(), 'one');
    git('add', 'file');
    git('commit', '--quiet', '--message', 'One');
    git('tag', '--annotate', 'v1', '--message', 'v1');
    const commit = git('rev-parse', 'HEAD').slice(0, 12);
    expect(await readCommit(folder)).toBe(commit);
    writeFileSync(file(), 'another');
    expect(await readCommit(folder)).toBe(`${commit}-dirty`);
  });

  test('is undefined outside a git repository', async () => {
    expect(await readCommit(folder)).toBeUndefined();
    expect(await readCommit(join(folder, 'nowhere'))).toBeUndefined();
  });
});

test("The CDK app reads the commit from the command's options", () => {
  const [, commitOption = ''] = toCommitOptions('b19c82b3c8d5');
  const [key = '', value] = commitOption.split('=');
  const readFrom = (context: Record<string, unknown>) => readCommitContext((one) => context[one]);
  expect([readFrom({ [key]: value }), readFrom({})]).toEqual(['b19c82b3c8d5', undefined]);
  expect(toCommitOptions(undefined)).toEqual([]);
});

test('The commit adds only one output to the stack', () => {
  const stage = getStage('prod');
  const withCommit = Template.fromStack(createStack('prod', stage, 'b19c82b3c8d5')).toJSON();
  const { Commit, ...Outputs } = withCommit.Outputs;
  expect(Commit).toEqual({ Value: 'b19c82b3c8d5', Description: 'Commit that was deployed' });
  expect({ ...withCommit, Outputs }).toEqual(getTemplate('prod', stage).toJSON());
});
