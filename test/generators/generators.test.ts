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
/** Where the generated code is: beside the packages that it needs. */
const made = join(folder, '.local');
const seconds = 1000;

const execute = promisify(execFile);

/** What a program says, on the project's own Node; it is the error where it fails. */
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
    if (!existsSync(installed('orval'))) throw new Error('They come by npm run test:generators.');
    await rm(made, { recursive: true, force: true });
    await mkdir(made);
    // Its types are compared with those that openapi-typescript makes.
    buildClient();
    const settled = await Promise.allSettled(
      Object.entries(generators).map(([name, args]) =>
        run(installed(name), args(join(root, 'openapi.json'), join(made, name))),
      ),
    );
    outcomes = Object.fromEntries(Object.keys(generators).map((name, n) => [name, settled[n]]));
  }, 300 * seconds);

  test.each(Object.keys(generators))('is made of the document by %s', (name) => {
    expect(outcomes[name]).toEqual({ status: 'fulfilled', value: expect.any(String) });
    expect([join(made, name), join(made, `${name}.ts`)].some(existsSync)).toBe(true);
  });

  test('compiles, by whichever it was made, and holds a conversation to its types', async () => {
    const files = await run('tsc', ['-p', folder, '--listFiles']);
    const compiled = Object.keys(generators).filter((name) => files.includes(join(made, name)));
    expect(compiled).toEqual(Object.keys(generators));
  });

  test.each(['openapi-fetch', 'hey-api'])('has a conversation by means of %s', async (name) => {
    const program = join(made, `scenarios/${name}.mjs`);
    await run('esbuild', [
      join(folder, `scenarios/${name}.ts`),
      ...['--bundle', '--platform=node', '--format=esm', `--outfile=${program}`],
    ]);
    await run('node', [program]);
  });
});

describe('The client of client/', () => {
  const client = join(root, 'client');

  test('can be published, say publint and Are The Types Wrong', async () => {
    await run(installed('publint'), ['--strict', client]);
    await run(installed('attw'), ['--pack', client, '--profile', 'esm-only']);
  });
});

test('The collection runs whole in Bruno, with the tokens of two people', async () => {
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
