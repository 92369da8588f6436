import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { buildClient, measureSize, sizeMeasurements } from '../../client/generator/build-client.ts';
import { read, root } from '../docs/pages.ts';

const client = join(root, 'client');
const Packed = v.array(
  v.object({ files: v.array(v.object({ path: v.string() })), filename: v.string() }),
);
const npm = (...args: string[]) =>
  execFileSync('npm', [...args, '--json'], { cwd: client, encoding: 'utf8', stdio: 'pipe' });

describe('The client package', () => {
  beforeAll(() => buildClient());

  test('contains only its modules, types, README, license and manifests', () => {
    const [packed] = v.parse(Packed, JSON.parse(npm('pack', '--dry-run')));
    const sources = globSync('**/*.ts', { cwd: join(client, 'src') });
    const built = sources.map((file) => `dist/${file.replace(/\.ts$/, '')}`);
    expect(packed?.files.map(({ path }) => path).sort()).toEqual(
      [
        ...['LICENSE', 'README.md', 'package.json', 'react/package.json'],
        ...built.flatMap((file) => [`${file}.d.ts`, `${file}.js`]),
      ].sort(),
    );
  });

  test('has only the optional peer dependency React, and uses no Node APIs', () => {
    const manifest = JSON.parse(read('client/package.json'));
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).toMatchObject({
      peerDependencies: { react: '>=18' },
      peerDependenciesMeta: { react: { optional: true } },
    });
    for (const file of globSync('dist/**/*.{js,d.ts}', { cwd: client })) {
      const text = readFileSync(join(client, file), 'utf8');
      const imported = [...text.matchAll(/(?:from|import\() ?["']([^"']+)/g)].map(
        ([, from]) => from,
      );
      const external = imported.filter((from) => !/^\.{1,2}\/.*\.js$/.test(from ?? ''));
      expect(external).toEqual(file === 'dist/react.js' ? ['react'] : []);
      expect(text).not.toMatch(/\b(Buffer|process|require|__dirname)\b[.(]/);
    }
  });

  test('resolves in bundlers that ignore `exports`, such as React Native’s bundler before 0.79', () => {
    const { main, types, exports } = JSON.parse(read('client/package.json'));
    expect({ types, default: main }).toEqual(exports['.']);
    const react = JSON.parse(read('client/react/package.json'));
    expect({ types: react.types, default: react.main }).toEqual({
      types: `.${exports['./react'].types}`,
      default: `.${exports['./react'].default}`,
    });
  });

  test('compiles and runs in a program that installs it, with `nodenext` and `bundler` resolution', () => {
    const folder = mkdtempSync(join(tmpdir(), 'client-'));
    const [packed] = v.parse(Packed, JSON.parse(npm('pack', '--pack-destination', folder)));
    expect(read('client/README.md')).toContain(`npm install path/to/${packed?.filename}`);
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    execFileSync(
      'npm',
      ['install', '--offline', '--no-audit', '--no-fund', `./${packed?.filename}`],
      { cwd: folder, stdio: 'pipe' },
    );
    writeFileSync(
      join(folder, 'program.mts'),
      `import { createClient, live, NotFoundError, type Message } from 'messaging-service-client';
      const fetch = async () => ({
        status: 404,
        headers: { get: () => null },
        text: async () => '{"code": "not_found", "message": "None."}',
      });
      const client = createClient({ url: 'https://api.example.com', token: 'x', fetch });
      const found: Message | string = await client.messages
        .retrieve({ message_id: 'm' })
        .catch((error: unknown) => (error instanceof NotFoundError ? error.code : 'other'));
      console.log(found, typeof live);`,
    );
    const tsc = join(root, 'node_modules/.bin/tsc');
    for (const resolution of ['nodenext', 'bundler']) {
      const module = resolution === 'bundler' ? 'esnext' : resolution;
      const options = [
        '--strict',
        '--module',
        module,
        '--moduleResolution',
        resolution,
        '--types',
        '',
      ];
      execFileSync(tsc, [...options, '--lib', 'es2022,dom', '--target', 'es2022', 'program.mts'], {
        cwd: folder,
      });
      expect(execFileSync('node', ['program.mjs'], { cwd: folder, encoding: 'utf8' })).toBe(
        'not_found function\n',
      );
    }
  });
});

/** Maximum size in bytes after Brotli compression. */
const atMost: Record<string, number> = {
  'the methods alone': 4000,
  'the methods and `live`': 17_000,
  'the methods, `live`, `liveGroups` and `liveGroup`': 18_000,
  'the React hooks, in addition': 2000,
};

test.each(Object.entries(sizeMeasurements))(
  'The size of %s is within its limit and stated in the README',
  async (name, measure) => {
    const { minified, gzip, brotli } = await measure();
    expect(brotli).toBeLessThanOrEqual(atMost[name] ?? 0);
    const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
    expect(read('client/README.md')).toContain(
      `| ${name} | ${[minified, gzip, brotli].map(kilobytes).join(' | ')} |`,
    );
  },
);

test('A bundle omits the exports that a page does not import', async () => {
  const [all, methods] = [
    await measureSize('createClient', 'live'),
    await measureSize('createClient'),
  ];
  expect(methods.brotli).toBeLessThan(all.brotli / 2);
  const empty = await measureSize();
  expect(empty.minified).toBeLessThan(100);
});
