import { afterAll, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { makeDemoData } from '../../../commands/start/make-demo-data.ts';
import type { Cloud } from '../../../local-cloud/cloud.ts';
import { launchBrowser } from '../../support/processes/chromium.ts';
import { startTestCloud } from '../../support/processes/start-test-cloud.ts';

/**
 * Starts a local cloud with demo data and a browser before the tests of a `describe`, and stops
 * both afterwards.
 */
export function setUpPlayground(): { cloud: Cloud; browser: Browser } {
  const running: { cloud?: Cloud; browser?: Browser } = {};
  beforeAll(async () => {
    [running.cloud, running.browser] = await Promise.all([
      startTestCloud({ playground: true }),
      launchBrowser(),
    ]);
    await makeDemoData(running.cloud);
  });
  afterAll(async () => {
    await running.browser?.close();
    await running.cloud?.stop();
  });
  const requireStarted = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error('The cloud or the browser has not started.');
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
