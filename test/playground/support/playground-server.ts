import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { makeDemoData } from '../../../commands/start/make-demo-data.ts';
import type { Cloud } from '../../../local-cloud/cloud.ts';
import { launchBrowser } from '../../support/processes/chromium.ts';
import { startTestCloud } from '../../support/processes/start-test-cloud.ts';
import {
  type Appearance,
  bothLists,
  openPlayground,
  type PlaygroundPage,
  temporaryFailure,
} from './playground-page.ts';

export interface Playground {
  cloud: Cloud;
  /** The page of the running test. */
  shown: PlaygroundPage;
  /** Closes the page and opens another one. */
  open(appearance?: Appearance, hash?: string): Promise<PlaygroundPage>;
  /** Lets the running test pass even if the page reports errors that match one of the patterns. */
  allowErrors(...patterns: RegExp[]): void;
}

/**
 * Starts a local cloud with demo data and a browser for the tests of a `describe`. Opens a page
 * before each test, and fails the test if the page reports errors that the test does not allow.
 */
export function setUpPlayground(defaultHash = bothLists): Playground {
  let cloud: Cloud | undefined;
  let browser: Browser | undefined;
  let shown: PlaygroundPage | undefined;
  let allowed: RegExp[] = [];

  const requireStarted = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error('The cloud, the browser or the page is not open.');
    return value;
  };
  const open = async (appearance?: Appearance, hash = defaultHash) => {
    await shown?.close();
    const { url } = requireStarted(cloud);
    shown = await openPlayground(requireStarted(browser), url, appearance, hash);
    return shown;
  };

  beforeAll(async () => {
    [cloud, browser] = await Promise.all([startTestCloud({ playground: true }), launchBrowser()]);
    await makeDemoData(cloud);
  });
  beforeEach(async () => {
    allowed = [temporaryFailure];
    await open();
  });
  afterEach(async () => {
    const { errors, close } = requireStarted(shown);
    shown = undefined;
    await close();
    expect(errors.filter((error) => !allowed.some((one) => one.test(error)))).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });

  return {
    get cloud() {
      return requireStarted(cloud);
    },
    get shown() {
      return requireStarted(shown);
    },
    open,
    allowErrors: (...patterns) => allowed.push(...patterns),
  };
}
