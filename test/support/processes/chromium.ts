import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';

const usual = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The browser that the tests use: `CHROMIUM`, or where systems usually have it; undefined where there is none. */
const chromiumPath: string | undefined = [
  process.env.CHROMIUM ?? '',
  ...usual.map((name) => `/usr/bin/${name}`),
].find((path) => path !== '' && existsSync(path));

/** Tests in a browser; where there is none they are skipped, and the title says how to have them. */
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
    // Containers that run as root have no other way; the pages are our own.
    args: ['--no-sandbox'],
  });
