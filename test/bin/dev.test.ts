import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import * as v from 'valibot';
import { startProgram } from '../support/processes/start-program.ts';
import { isThorough, thoroughTest } from '../support/setup/sample-size.ts';

const root = join(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'messaging-dev-'));
const file = (path: string) => join(copy, path);

let dev: ReturnType<typeof startProgram>;
let url = '';
let token = '';

beforeAll(async () => {
  if (!isThorough) return;
  const folders = [
    'bin',
    'functions',
    'commands',
    'docgen',
    'lib',
    'local-cloud',
    'shared',
    'reference',
    'docs',
    'demo',
    'playground',
    'client',
  ];
  const files = ['cdk.json', 'openapi.json', 'package.json', 'package-lock.json', 'tsconfig.json'];
  for (const part of [...folders, ...files]) {
    cpSync(join(root, part), file(part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), file('node_modules'), 'junction');
  dev = startProgram(['bin/dev.ts', '--port', '0', '--no-demo'], {
    cwd: copy,
    env: process.env,
  });
  [, url = ''] = await dev.printed(/API: (http:\S+)[\s\S]*loaded automatically/);
  const command = ['bin/token.ts', 'ann'];
  const { output } = await startProgram(command, { cwd: copy, env: process.env }).ended;
  token = output.trim();
});
afterAll(async () => {
  if (dev) {
    dev.child.kill('SIGINT');
    await dev.ended;
  }
  rmSync(copy, { recursive: true, force: true });
});

const replaceIn = (path: string, before: string, after: string) => {
  const text = readFileSync(file(path), 'utf8');
  expect(text).toContain(before);
  // Replaces the file, as editors do when they save.
  writeFileSync(file(`${path}.new`), text.replace(before, after));
  renameSync(file(`${path}.new`), file(path));
};

/**
 * Makes a change. Returns the output from the change to the end of the first match of `pattern`.
 */
async function after(change: () => void, pattern: RegExp): Promise<string> {
  const from = dev.length();
  change();
  const [text = ''] = await dev.printed(pattern, from);
  return text;
}

const sendRequest = async (path: string, sent?: object) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, {
    headers,
    ...(sent && { method: 'POST', body: JSON.stringify(sent) }),
  });
  const body = v.parse(v.looseObject({ id: v.optional(v.string()) }), await response.json());
  return { status: response.status, body };
};

const page = async (path: string) =>
  (await fetch(`${url}${path}`, { headers: { Accept: 'text/html' } })).text();

async function scripts(): Promise<string> {
  const paths = [...(await page('/')).matchAll(/(?:src|href)="([^"]+\.js)"/g)];
  return (await Promise.all(paths.map(([, path = '']) => page(path)))).join('\n');
}

const firsts = `
import { firstBusinesses } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { queryBusinesses } from '../../shared/table/businesses/query-businesses.ts';

export const handler = serve(firstBusinesses, async () => ({
  has_more: false,
  data: await queryBusinesses({
    onlyActive: false,
    backwards: false,
    from: undefined,
    count: 1,
    toReply: (one) => one,
  }),
}));
`;

thoroughTest(
  'npm run dev serves saved changes, keeps the data, and keeps serving after an error',
  async () => {
    const { id } = (await sendRequest('/v1/conversations', { contact_id: 'bob' })).body;
    const handler = 'functions/conversations/list.ts';
    const original = readFileSync(file(handler), 'utf8');
    const workingReply = { status: 200, body: { data: [{ id }] } };

    const begin = 'export const handler =';
    const reloaded = /Reloaded conversations\/list, after \d+ ms/;
    const output = await after(() => replaceIn(handler, begin, `// Here.\n${begin}`), reloaded);
    process.stdout.write(`${output}\n`);
    expect(await sendRequest('/v1/conversations')).toMatchObject(workingReply);

    // Saves code that throws when loaded, then code that cannot be parsed. In both cases, the
    // previous version keeps running.
    await after(
      () => replaceIn(handler, begin, `Object(undefined).not.there();\n${begin}`),
      new RegExp(
        `TypeError: Cannot read [\\s\\S]* at ${handler}:\\d+:\\d+\\n[\\s\\S]*keeps running`,
      ),
    );
    expect(await sendRequest('/v1/conversations')).toMatchObject(workingReply);
    await after(
      () => appendFileSync(file(handler), 'const = 1;\n'),
      new RegExp(`${handler}:\\d+:7: Expected identifier but found "="[\\s\\S]*keeps running`),
    );
    expect(await sendRequest('/v1/conversations')).toMatchObject(workingReply);
    await after(() => writeFileSync(file(handler), original), reloaded);

    await after(
      () => replaceIn('reference/quick-start.md', '# Messaging service', '# Changed title'),
      /Reloaded docs, after/,
    );
    expect(await page('/docs')).toContain('Changed title');

    const rebuilt = /Rebuilt the playground in \d+ ms/;
    await after(() => replaceIn('playground/index.html', '</title>', ', changed</title>'), rebuilt);
    expect(await page('/')).toContain(', changed</title>');
    const client = 'client/src/api-error.ts';
    const source = readFileSync(file(client), 'utf8');
    await after(
      () => appendFileSync(file(client), 'const = 1;\n'),
      /The playground could not be built:[\s\S]*client\/src\/api-error\.ts[\s\S]*The previous version keeps running\./,
    );
    expect(await page('/')).toContain(', changed</title>');
    const words = 'The API cannot be reached';
    await after(() => writeFileSync(file(client), source.replace(words, `${words} yet`)), rebuilt);
    expect(await scripts()).toContain(`${words} yet`);

    await after(() => {
      writeFileSync(file('functions/business/firsts.ts'), firsts);
      replaceIn(
        'shared/contract/operations/businesses.ts',
        'const operations = [',
        "export const firstBusinesses = { ...listBusinesses, id: 'business/firsts', path: '/v1/firsts' };\nconst operations = [firstBusinesses, ",
      );
    }, /The stack has changed, after \d+ ms\n( {2}[+~] .*\n)* {2}\+ BusinessFirsts\w+ \(Lambda::Function\)\n/);
    expect(await sendRequest('/v1/firsts')).toEqual({
      status: 200,
      body: { has_more: false, data: [] },
    });
    expect(await sendRequest('/v1/conversations')).toMatchObject(workingReply);

    await after(
      () => appendFileSync(file('lib/stages.ts'), 'throw new Error("no stage at all");\n'),
      /no stage at all[\s\S]* at lib\/stages\.ts:\d+:\d+[\s\S]*The previous version keeps running\./,
    );
    expect(await sendRequest('/v1/firsts')).toMatchObject({ status: 200 });
  },
);
