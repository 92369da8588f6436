import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { Problem } from '../../lib/problem.ts';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'client/src/index.ts');

/** Writes the package's modules and their types to client/dist, in the place of what is there. */
export function buildClient(): void {
  const to = join(root, 'client/dist');
  rmSync(to, { recursive: true, force: true });
  // What lies in .bin is no program on Windows.
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(
    process.execPath,
    [compiler, '-p', join(root, 'client'), '--outDir', to],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Problem(`The client does not compile:\n${stdout}`);
  // The compiler leaves the endings of imports in types as they are.
  for (const file of globSync(`${to}/**/*.d.ts`)) {
    const types = readFileSync(file, 'utf8');
    writeFileSync(file, types.replace(/(["'])(\.[^"']*)\.ts\1/g, '$1$2.js$1'));
  }
  copyFileSync(join(root, 'LICENSE'), join(root, 'client/LICENSE'));
}

/** What a page loads for some of what the package has, in bytes. */
export interface Size {
  minified: number;
  gzipped: number;
}

/** Of a page that uses nothing but these of the package’s exports. */
export async function measureSize(...names: string[]): Promise<Size> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { ${names} } from ${JSON.stringify(source)};\nglobalThis.used = [${names}];`,
      resolveDir: root,
    },
    bundle: true,
    write: false,
    format: 'esm',
    minify: true,
    target: 'es2022',
  });
  const { contents = new Uint8Array() } = outputFiles[0] ?? {};
  return { minified: contents.length, gzipped: gzipSync(contents, { level: 9 }).length };
}

/** What is measured: what a page with these exports loads. */
export const measuredExports: Record<string, string[]> = {
  'the methods alone': ['createClient'],
  'the methods and `live`': ['createClient', 'live'],
};
