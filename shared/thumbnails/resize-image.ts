import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { env } from '../env.ts';
import { getServiceTimeout } from '../service-timeout.ts';
import { refusedStatus } from './refused-status.ts';

/** Maximum milliseconds to resize an image. A 12-megapixel picture takes a tenth of this time. */
const resizeMilliseconds = getServiceTimeout(15_000);

/** Environment variables that Node needs to start. They include no credentials. */
const passedVariables = ['LD_LIBRARY_PATH', 'PATH', 'SystemRoot'];

/** The thumbnail of an image, or the reason why it has none. */
export type Resized = { thumbnail: Buffer } | { refusal: string };

/**
 * Resizes an image in a separate process, which can be killed. A decoder crash ends only the
 * separate process. Throws if the program cannot resize images.
 */
export async function resizeImage(
  image: Buffer,
  milliseconds = resizeMilliseconds,
): Promise<Resized> {
  const child = spawn(process.execPath, [join(env('LAMBDA_TASK_ROOT'), 'resize.js')], {
    env: Object.fromEntries(passedVariables.map((name) => [name, process.env[name]])),
    stdio: 'pipe',
    timeout: milliseconds,
    killSignal: 'SIGKILL',
  });
  const exit = new Promise<{ code: number | null; signal: string | null }>((settle, fail) => {
    child.once('error', fail);
    child.once('close', (code, signal) => settle({ code, signal }));
  });
  // Ignores write errors: they mean that the process has exited. The exit status shows why.
  child.stdin.on('error', () => {});
  child.stdin.end(image);
  const [thumbnail, printed, { code, signal }] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    exit,
  ]);
  if (code === 0 && thumbnail.length > 0) return { thumbnail };
  if (code === refusedStatus) return { refusal: printed.slice(0, 200) };
  // The program was too slow, ran out of memory or crashed. Another attempt would fail too.
  if (signal !== null) return { refusal: signal };
  throw new Error(`Images cannot be resized: status ${code}, ${printed.slice(0, 500)}`);
}
