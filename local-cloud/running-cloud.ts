import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

/** Facts that other commands need about a running local cloud. */
const RunningCloud = v.object({
  tableEndpoint: v.string(),
  queueEndpoint: v.string(),
  /** Address of the local S3, in a stage with attachments. */
  filesEndpoint: v.optional(v.string()),
  parameterEndpoint: v.string(),
  /** Folder of the synthesized stack. */
  assembly: v.string(),
  stackName: v.string(),
  /** Outputs of the stack. */
  outputs: v.record(v.string(), v.string()),
});
export type RunningCloud = v.InferOutput<typeof RunningCloud>;

const getRunningFile = (directory: string) => join(directory, 'running.json');

/**
 * Writes the facts to the directory. Returns a function that removes them, unless another process
 * has replaced them.
 */
export async function writeRunningCloud(
  directory: string,
  running: RunningCloud,
): Promise<() => Promise<void>> {
  const text = `${JSON.stringify(running)}\n`;
  await mkdir(directory, { recursive: true });
  await writeFile(getRunningFile(directory), text);
  return async () => {
    const current = await readFile(getRunningFile(directory), 'utf8').catch(() => undefined);
    if (current === text) await rm(getRunningFile(directory), { force: true });
  };
}

/** Returns the running local cloud of the directory; ignores facts left by a killed process. */
export async function findRunningCloud(directory: string): Promise<RunningCloud | undefined> {
  const text = await readFile(getRunningFile(directory), 'utf8').catch(() => 'null');
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), RunningCloud), text);
  return success && (await isReachable(output.tableEndpoint)) ? output : undefined;
}

const isReachable = (endpoint: string): Promise<boolean> =>
  fetch(endpoint, { signal: AbortSignal.timeout(5000) }).then(
    () => true,
    () => false,
  );
