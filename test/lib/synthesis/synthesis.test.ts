import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { sourceHash } from '../../../lib/synthesis/source-hash.ts';
import { synthesize } from '../../../lib/synthesis/synthesis.ts';
import { env } from '../../../shared/env.ts';
import { temporaryFolder } from '../../local-cloud/small-stack.ts';

describe('A synthesis', () => {
  test('of unchanged sources returns the previous result', async () => {
    const directory = join(env('TEST_ASSEMBLY'), '..');
    const modifiedAt = statSync(join(env('TEST_ASSEMBLY'), 'manifest.json')).mtimeMs;
    const { execPath } = process;
    // This program does not exist, so the synthesis fails if it runs the app.
    process.execPath = join(directory, 'no-such-program');
    const again = await synthesize('dev', directory).finally(() => {
      process.execPath = execPath;
    });
    expect(again.directory).toBe(env('TEST_ASSEMBLY'));
    expect(again.stackName).toBe('messaging-dev');
    expect(statSync(join(again.directory, 'manifest.json')).mtimeMs).toBe(modifiedAt);
    expect(existsSync(join(again.directory, 'package.json'))).toBe(true);
  });

  test("that fails reports the app's output and leaves no files", async () => {
    const directory = temporaryFolder();
    await expect(synthesize('stagin', directory)).rejects.toThrow("There is no stage 'stagin'");
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('The hash of the sources', () => {
  const root = temporaryFolder();
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const path of [
    'bin/messaging.ts',
    'package-lock.json',
    'cdk.json',
    'openapi.json',
    'client/README.md',
  ])
    write(path, '');
  for (const folder of ['commands/deploy', 'lib', 'functions', 'shared', 'reference', 'docs'])
    write(`${folder}/a.ts`, '');

  test.each([
    'commands/deploy/a.ts',
    'lib/a.ts',
    'functions/a.ts',
    'functions/deep/new.ts',
    'shared/a.ts',
    'reference/a.ts',
    'docs/a.ts',
    'client/README.md',
    'openapi.json',
    'cdk.json',
  ])('changes if %s changes', (path) => {
    const before = sourceHash(root, 'dev');
    write(path, 'changed');
    expect(sourceHash(root, 'dev')).not.toBe(before);
  });

  test('is different for each stage', () => {
    expect(sourceHash(root, 'dev')).not.toBe(sourceHash(root, 'prod'));
  });

  test('does not change if the local cloud or docgen changes, because they are not deployed', () => {
    const before = sourceHash(root, 'dev');
    write('local-cloud/a.ts', 'changed');
    write('docgen/d.ts', 'new');
    expect(sourceHash(root, 'dev')).toBe(before);
  });
});
