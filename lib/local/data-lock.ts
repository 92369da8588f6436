import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';
import { Problem } from './problem.ts';

/**
 * Keeps a second local cloud out of the folder. The lock is a file that names a port at which its owner answers: one
 * left behind by a process that was killed is told from one in use, even when another process has got its id.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const name = resolve(directory);
  await mkdir(name, { recursive: true });
  const file = join(name, 'lock');
  const server = createServer((_, response) => response.end(name));
  const { port, close } = await listen(server, 0);
  const take = () => writeFile(file, String(port), { flag: 'wx' });
  try {
    await take().catch(async () => {
      const owner = await readFile(file, 'utf8').catch(() => '');
      if ((await answerAt(Number(owner))) === name) {
        throw new Problem(
          `Another local cloud is using ${directory}: stop it, or choose another folder with --data, or --in-memory.`,
        );
      }
      await rm(file, { force: true });
      await take();
    });
  } catch (error) {
    await close();
    throw error;
  }
  return async () => {
    await rm(file, { force: true });
    await close();
  };
}

const answerAt = (port: number) =>
  new Promise<string | undefined>((settle) => {
    if (!Number.isInteger(port) || port <= 0 || port > 65_535) {
      settle(undefined);
      return;
    }
    const sent = get({ host: '127.0.0.1', port, timeout: 1000 }, (response) => {
      text(response).then(settle, () => settle(undefined));
    });
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => settle(undefined));
  });
