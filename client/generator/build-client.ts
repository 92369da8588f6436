import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { Problem } from '../../lib/problem.ts';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'client/src');

/** Replaces client/dist with the compiled client. Throws a `Problem` if compilation fails. */
export function buildClient(): void {
  const to = join(root, 'client/dist');
  rmSync(to, { recursive: true, force: true });
  // On Windows, the files in .bin are scripts that spawnSync cannot start.
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(
    process.execPath,
    [compiler, '-p', join(root, 'client'), '--outDir', to],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Problem(`The client does not compile:\n${stdout}`);
  // The compiler does not rewrite import extensions in type declarations.
  for (const file of globSync(`${to}/**/*.d.ts`)) {
    const types = readFileSync(file, 'utf8');
    writeFileSync(file, types.replace(/(["'])(\.[^"']*)\.ts\1/g, '$1$2.js$1'));
  }
  copyFileSync(join(root, 'LICENSE'), join(root, 'client/LICENSE'));
}

/** Bundle size in bytes. */
export interface Size {
  minified: number;
  gzip: number;
  brotli: number;
}

/** Returns the bundle size of a page that imports only the named exports of the package. */
export const measureSize = (...names: string[]): Promise<Size> =>
  measureBundle(
    `import { ${names} } from ${JSON.stringify(join(source, 'index.ts'))};\nglobalThis.used = [${names}];`,
  );

async function measureBundle(contents: string, external: string[] = []): Promise<Size> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    external,
    bundle: true,
    write: false,
    format: 'esm',
    minify: true,
    target: 'es2022',
  });
  const { contents: bytes = new Uint8Array() } = outputFiles[0] ?? {};
  return {
    minified: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes).length,
  };
}

/** Functions that measure bundle sizes, by row label of the table in client/README.md. */
export const sizeMeasurements: Readonly<Record<string, () => Promise<Size>>> = {
  'the methods alone': () => measureSize('createClient'),
  'the methods and `live`': () => measureSize('createClient', 'live'),
  'the methods, `live`, `liveGroups` and `liveGroup`': () =>
    measureSize('createClient', 'live', 'liveGroups', 'liveGroup'),
  'the React hooks, in addition': () =>
    measureBundle(`export * from ${JSON.stringify(join(source, 'react.ts'))}`, [
      'react',
      './live/live.ts',
      './live/groups/*',
    ]),
};
