import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

/** What other commands need to know of a local cloud that is running. */
const RunningCloud = v.object({
  tableEndpoint: v.string(),
  queueEndpoint: v.string(),
  /** The folder of the synthesized stack. */
  assembly: v.string(),
  /** The stack's outputs. */
  outputs: v.record(v.string(), v.string()),
});
export type RunningCloud = v.InferOutput<typeof RunningCloud>;

const fileIn = (directory: string) => join(directory, 'running.json');

/** Leaves word in the directory; the function that it gives takes it back, unless another has left word since. */
export async function announce(
  directory: string,
  running: RunningCloud,
): Promise<() => Promise<void>> {
  const text = `${JSON.stringify(running)}\n`;
  await mkdir(directory, { recursive: true });
  await writeFile(fileIn(directory), text);
  return async () => {
    const left = await readFile(fileIn(directory), 'utf8').catch(() => undefined);
    if (left === text) await rm(fileIn(directory), { force: true });
  };
}

/** The local cloud that is running on the directory, if there is one: word left by one that was killed does not count. */
export async function runningCloud(directory: string): Promise<RunningCloud | undefined> {
  const text = await readFile(fileIn(directory), 'utf8').catch(() => 'null');
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), RunningCloud), text);
  return success && (await answers(output.tableEndpoint)) ? output : undefined;
}

const answers = (endpoint: string): Promise<boolean> =>
  fetch(endpoint, { signal: AbortSignal.timeout(5000) }).then(
    () => true,
    () => false,
  );
