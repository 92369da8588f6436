import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Plugin } from 'esbuild';
import * as v from 'valibot';
import { Problem } from './problem.ts';
import { getOrCreateFolder } from './synthesis/folder-cache.ts';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** CommonJS build of sharp, because esbuild leaves the ES module's `import.meta` empty. */
const sharpSource = join(root, 'node_modules/sharp/dist/index.cjs');

/**
 * Native packages of sharp for the functions' architecture. npm installs only the packages for this
 * machine's architecture.
 */
export const nativePackages = ['@img/sharp-linux-arm64', '@img/sharp-libvips-linux-arm64'];

/**
 * Returns a plugin that bundles sharp without its native module. If `isLocal` is true, the bundle
 * loads the installed package instead.
 */
export const bundleSharp = (isLocal: boolean): Plugin => ({
  name: 'bundle-sharp',
  setup(build) {
    build.onResolve({ filter: /^sharp$/ }, () => ({ path: sharpSource, external: isLocal }));
    build.onResolve({ filter: /^@img\/sharp-/ }, ({ path }) => ({ path, external: true }));
    // By default, sharp searches for its native module with a `require` that esbuild cannot
    // resolve.
    build.onLoad({ filter: /node_modules[\\/]sharp[\\/]dist[\\/]sharp\.cjs$/ }, () => ({
      contents: `module.exports = require('${nativePackages[0]}/sharp.node');`,
    }));
  },
});

/** Copies the native modules for Lambda into a function's folder. */
export async function writeNativeModules(folder: string): Promise<void> {
  for (const name of nativePackages) {
    cpSync(await findPackage(name), join(folder, 'node_modules', name), { recursive: true });
  }
}

const Lock = v.object({
  packages: v.record(
    v.string(),
    v.object({ version: v.optional(v.string()), integrity: v.optional(v.string()) }),
  ),
});

/**
 * Returns a package's folder. Downloads the package if npm skipped it on this machine's
 * architecture.
 */
async function findPackage(name: string): Promise<string> {
  const installed = join(root, 'node_modules', name);
  if (existsSync(installed)) return installed;
  const lock = v.parse(Lock, JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {};
  if (!version || !integrity) throw new Problem(`package-lock.json has no ${name}.`);
  const cache = join(root, 'node_modules/.cache/native-modules');
  const folder = await getOrCreateFolder(cache, `${name.replace(/\W/g, '-')}-${version}`, (draft) =>
    download(`${name}@${version}`, integrity, draft),
  );
  return join(folder, 'package');
}

/** Downloads a package of any architecture, and extracts it after checking its hash. */
async function download(specifier: string, integrity: string, folder: string): Promise<void> {
  const npm = ['pack', specifier, '--json', '--pack-destination', folder];
  // On Windows, npm is a batch file, which requires a shell.
  const { stdout } = await run('npm', npm, { cwd: root, shell: process.platform === 'win32' });
  const [{ filename } = { filename: '' }] = v.parse(
    v.array(v.object({ filename: v.string() })),
    JSON.parse(stdout),
  );
  const archive = join(folder, filename);
  const hash = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (integrity !== `sha512-${hash}`) {
    throw new Problem(`${specifier} does not match the hash in package-lock.json.`);
  }
  mkdirSync(join(folder, 'package'), { recursive: true });
  await run('tar', ['-xzf', filename], { cwd: folder });
}
