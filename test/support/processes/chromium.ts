import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';

const usual = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The browser of the tests: `CHROMIUM`, or the usual paths; undefined if there is none. */
const chromiumPath: string | undefined = [
  process.env.CHROMIUM ?? '',
  ...usual.map((name) => `/usr/bin/${name}`),
].find((path) => path !== '' && existsSync(path));

/**
 * Defines tests that need a browser. Without one they are skipped, and the title says what to
 * install.
 */
export const describeInBrowser = (title: string, tests: () => void): void => {
  if (chromiumPath) describe(title, tests);
  else {
    const cure = 'sudo apt-get install chromium, or its path in CHROMIUM';
    describe.skip(`${title} (no Chromium: ${cure})`, tests);
  }
};

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    // Required in containers that run as root; all pages are the project's own.
    args: ['--no-sandbox'],
  });
