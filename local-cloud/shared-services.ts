import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startParameterServer } from './parameters/parameter-server.ts';
import { createParameterStore } from './parameters/parameter-store.ts';
import { startQueueServer } from './queues/queue-server.ts';
import type { RunningStack } from './running-stack.ts';

/** Registers a cleanup to run when the local cloud stops. */
export type CleanUp = (cleanup: () => Promise<unknown>) => void;

/** Returns the folder for uploaded files, which is temporary if the data is in memory. */
export async function openObjectDirectory(
  directory: string,
  inMemory: boolean,
  cleanUp: CleanUp,
): Promise<string> {
  if (!inMemory) return join(directory, 'objects');
  const temporary = await mkdtemp(join(tmpdir(), 'messaging-objects-'));
  cleanUp(() => rm(temporary, { recursive: true, force: true }));
  return temporary;
}

/**
 * Starts the queue and parameter servers, which all stacks share. Returns environment variables
 * with the servers' addresses.
 */
export async function startServices(
  { dataDirectory, inMemory }: { dataDirectory: string; inMemory: boolean },
  stack: () => RunningStack,
  cleanUp: CleanUp,
) {
  const queueServer = await startQueueServer(stack);
  cleanUp(() => queueServer.stop());
  const store = createParameterStore(inMemory ? undefined : join(dataDirectory, 'parameters.json'));
  const parameterServer = await startParameterServer(store, () => stack().callers);
  cleanUp(() => parameterServer.stop());
  return {
    SQS_URL: `${queueServer.endpoint}/`,
    SSM_URL: `${parameterServer.endpoint}/`,
    WEBHOOK_REACH: 'local',
  };
}
