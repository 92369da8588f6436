import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';

const commonNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Path of the tests' browser: `CHROMIUM` or a common path. Undefined if no browser is found. */
const chromiumPath: string | undefined = [
  process.env.CHROMIUM ?? '',
  ...commonNames.map((name) => `/usr/bin/${name}`),
].find((path) => path !== '' && existsSync(path));

/**
 * Defines tests that need a browser. If there is no browser, skips the tests with a title that says
 * what to install.
 */
export const describeInBrowser = (title: string, tests: () => void): void => {
  if (chromiumPath) describe(title, tests);
  else {
    const instructions = 'sudo apt-get install chromium, or set CHROMIUM to its path';
    describe.skip(`${title} (no Chromium: ${instructions})`, tests);
  }
};

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    // Required in containers that run as root, and safe because all pages belong to the project.
    args: ['--no-sandbox'],
  });
