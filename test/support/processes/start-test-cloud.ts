import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAssembly } from '../../../lib/synthesis/synthesis.ts';
import { type Cloud, type CloudOptions, startCloud } from '../../../local-cloud/cloud.ts';
import { env } from '../../../shared/env.ts';

/** Starts an in-memory local cloud with the tests' synthesis. `stop` also removes its data. */
export async function startTestCloud(options: Partial<CloudOptions> = {}): Promise<Cloud> {
  const dataDirectory = options.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'messaging-')));
  const assembly = options.assembly ?? (await readAssembly(env('TEST_ASSEMBLY')));
  const cloud = await startCloud({ port: 0, inMemory: true, ...options, dataDirectory, assembly });
  const { stop } = cloud;
  return Object.assign(cloud, {
    stop: async () => {
      await stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  });
}
