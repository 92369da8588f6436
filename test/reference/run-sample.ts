import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Values of `data-language` in the samples that tests can run. */
export type RunnableLanguage = 'sh' | 'ts' | 'python';

export const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Makes curl fail on error replies and print their bodies. */
const curlWrapper = 'curl() { command curl --silent --show-error --fail-with-body "$@"; }';
const timeout = 60_000;

/**
 * Runs a sample with a token. Returns the output. Throws if the sample fails or takes more than 60
 * seconds.
 */
export async function runSample(
  language: RunnableLanguage,
  code: string,
  token: string,
): Promise<string> {
  const options = { timeout, env: { ...process.env, TOKEN: token } };
  if (language === 'sh') {
    const script = `${curlWrapper}\n${code}`;
    return (await run('bash', ['-euo', 'pipefail', '-c', script], options)).stdout;
  }
  if (language === 'python') return (await run('python3', ['-c', code], options)).stdout;
  const folder = mkdtempSync(join(tmpdir(), 'sample-'));
  const outfile = join(folder, 'sample.mjs');
  try {
    await build({
      stdin: { contents: code, loader: 'ts', resolveDir: root },
      alias: { 'messaging-service-client': join(root, 'client/src/index.ts') },
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile,
      logLevel: 'silent',
    });
    return (await run(process.execPath, [outfile], options)).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Returns the plain text of a page's samples in a language, in page order. */
export const extractSamples = (html: string, language: string): string[] =>
  Array.from(
    html.matchAll(/<pre tabindex="0" data-language="(\w+)"><code>([\s\S]*?)<\/code><\/pre>/g),
    ([, name, code = '']) => ({ name, code }),
  )
    .filter(({ name }) => name === language)
    .map(({ code }) =>
      code
        .replace(/<[^>]+>/g, '')
        .replace(/&(\w+);/g, (entity, name: string) => entities[name] ?? entity),
    );
