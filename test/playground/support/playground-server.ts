import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { makeDemoData } from '../../../commands/start/make-demo-data.ts';
import { readAssembly } from '../../../lib/synthesis/synthesis.ts';
import { type Cloud, startCloud } from '../../../local-cloud/cloud.ts';
import { env } from '../../../shared/env.ts';
import { launchBrowser } from '../../support/processes/chromium.ts';

/** Starts a local cloud with playground and demo data, and a browser, for a `describe`. */
export function setUpPlayground(): { cloud: Cloud; browser: Browser } {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'messaging-playground-'));
  const running: { cloud?: Cloud; browser?: Browser } = {};
  beforeAll(async () => {
    const assembly = await readAssembly(env('TEST_ASSEMBLY'));
    const options = { port: 0, dataDirectory, inMemory: true, assembly, playground: true };
    [running.cloud, running.browser] = await Promise.all([startCloud(options), launchBrowser()]);
    await makeDemoData(running.cloud);
  });
  afterAll(async () => {
    await running.browser?.close();
    await running.cloud?.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  });
  const requireStarted = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error('The local cloud is not started.');
    return value;
  };
  return {
    get cloud() {
      return requireStarted(running.cloud);
    },
    get browser() {
      return requireStarted(running.browser);
    },
  };
}
