import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildClient } from '../../client/generator/build-client.ts';
import { env } from '../../shared/env.ts';
import { person } from '../acceptance/support/api.ts';
import { generators } from './generators.ts';

const folder = import.meta.dirname;
const root = join(folder, '../..');
/** Folder of the generated code, next to the packages that it imports. */
const outputFolder = join(folder, '.local');
const seconds = 1000;

const execute = promisify(execFile);

/** Runs a program and returns stdout. On failure, throws an error with all output. */
async function run(program: string, args: string[], cwd = folder): Promise<string> {
  const PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, DO_NOT_TRACK: '1', CI: '1', NO_COLOR: '1' };
  const options = { cwd, env, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await execute(program, args, options).catch((error) => {
    throw new Error([error.message, error.stdout, error.stderr].join('\n'));
  });
  return stdout;
}

const installed = (name: string) => join(folder, 'node_modules/.bin', name);

describe('A client', () => {
  let outcomes: Record<string, PromiseSettledResult<string> | undefined>;
  beforeAll(async () => {
    if (!existsSync(installed('orval')))
      throw new Error('Install the generators with npm run test:generators.');
    await rm(outputFolder, { recursive: true, force: true });
    await mkdir(outputFolder);
    // client-types.ts imports the built client.
    buildClient();
    const settled = await Promise.allSettled(
      Object.entries(generators).map(([name, args]) =>
        run(installed(name), args(join(root, 'openapi.json'), join(outputFolder, name))),
      ),
    );
    outcomes = Object.fromEntries(Object.keys(generators).map((name, n) => [name, settled[n]]));
  }, 300 * seconds);

  test.each(Object.keys(generators))('is generated from the OpenAPI document by %s', (name) => {
    expect(outcomes[name]).toEqual({ status: 'fulfilled', value: expect.any(String) });
    expect([join(outputFolder, name), join(outputFolder, `${name}.ts`)].some(existsSync)).toBe(
      true,
    );
  });

  test('compiles for every generator, and the conversation scenario type-checks', async () => {
    const files = await run('tsc', ['-p', folder, '--listFiles']);
    const compiled = Object.keys(generators).filter((name) =>
      files.includes(join(outputFolder, name)),
    );
    expect(compiled).toEqual(Object.keys(generators));
  });

  test.each(['openapi-fetch', 'hey-api'])(
    'runs the conversation scenario with %s',
    async (name) => {
      const program = join(outputFolder, `scenarios/${name}.mjs`);
      await run('esbuild', [
        join(folder, `scenarios/${name}.ts`),
        ...['--bundle', '--platform=node', '--format=esm', `--outfile=${program}`],
      ]);
      await run('node', [program]);
    },
  );
});

describe('The client in client/', () => {
  const client = join(root, 'client');

  test('passes publint and Are The Types Wrong', async () => {
    await run(installed('publint'), ['--strict', client]);
    await run(installed('attw'), ['--pack', client, '--profile', 'esm-only']);
  });
});

test('All requests of the Bruno collection succeed with the tokens of two users', async () => {
  const values = {
    base_url: env('API_URL'),
    ann_token: env('ANN'),
    bob_id: person('BOB').id,
    bob_token: env('BOB'),
  };
  await run(
    installed('bru'),
    [
      ...['run', '--env', 'Local cloud', '--bail'],
      ...Object.entries(values).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
    ],
    join(root, 'docs/bruno'),
  );
});
