import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

/** Addresses and stack of a running local cloud, for other commands. */
const RunningCloud = v.object({
  tableEndpoint: v.string(),
  queueEndpoint: v.string(),
  /** URL of the file server; undefined if the stage has no attachments. */
  filesEndpoint: v.optional(v.string()),
  parameterEndpoint: v.string(),
  /** Folder of the synthesized stack. */
  assembly: v.string(),
  stackName: v.string(),
  outputs: v.record(v.string(), v.string()),
});
export type RunningCloud = v.InferOutput<typeof RunningCloud>;

const getRunningFile = (directory: string) => join(directory, 'running.json');

/**
 * Writes `running` to a file. The returned function removes the file, unless another process has
 * replaced it.
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

/**
 * Returns the local cloud that uses the folder, if one is running. Ignores a file left by a killed
 * process.
 */
export async function findRunningCloud(directory: string): Promise<RunningCloud | undefined> {
  const text = await readFile(getRunningFile(directory), 'utf8').catch(() => 'null');
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), RunningCloud), text);
  return success && (await isReachable(output.tableEndpoint)) ? output : undefined;
}

/** Maximum milliseconds until a running server replies, even on a busy machine. */
const maxReplyMilliseconds = 60_000;

const isReachable = (endpoint: string): Promise<boolean> =>
  fetch(endpoint, { signal: AbortSignal.timeout(maxReplyMilliseconds) }).then(
    () => true,
    () => false,
  );
