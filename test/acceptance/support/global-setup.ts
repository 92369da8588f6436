import { join } from 'node:path';
import { type Cloud, startCloud } from '../../../local-cloud/cloud.ts';
import { scenarioEnvironment } from './scenario-environment.ts';

let cloud: Cloud | undefined;

/**
 * Runs the scenarios against the API at API_URL with the tokens ANN, BOB and CAROL. Without
 * API_URL, starts a local cloud.
 */
export default async function setUp(): Promise<void> {
  if (process.env.API_URL) return;
  const dataDirectory = join(import.meta.dirname, '../../../.local/test');
  cloud = await startCloud({ port: 0, dataDirectory, inMemory: true });
  Object.assign(process.env, await scenarioEnvironment(cloud));
}

export const tearDown = async (): Promise<void> => cloud?.stop();
