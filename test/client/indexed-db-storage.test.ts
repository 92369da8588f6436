import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { listen } from '../../local-cloud/listen.ts';
import { root } from '../docs/pages.ts';
import { describeInBrowser, launchBrowser } from '../support/processes/chromium.ts';

let browser: Browser;
let address: string;
let closeServer: () => Promise<void>;

describeInBrowser('The IndexedDB storage', () => {
  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `import { createIndexedDbStorage } from './client/src/index.ts';
        globalThis.createIndexedDbStorage = createIndexedDbStorage;`,
        resolveDir: root,
      },
      bundle: true,
      write: false,
      format: 'iife',
    });
    const script = outputFiles[0]?.text ?? '';
    const server = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<!doctype html><title>Storage</title><script>${script}</script>`);
    });
    const { port, close } = await listen(server, 0);
    address = `http://127.0.0.1:${port}/`;
    closeServer = close;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await closeServer();
  });

  const startPages = async () => {
    const context = await browser.newContext();
    const run = async (code: string) => {
      const page = await context.newPage();
      await page.goto(address);
      const result: unknown = await page.evaluate(
        `(async () => { const storage = createIndexedDbStorage(); ${code} })()`,
      );
      await page.close();
      return result;
    };
    return { context, run };
  };

  test('keeps each user’s pending messages after the page is closed', async () => {
    const { context, run } = await startPages();
    await run(`await storage.put('ann/1', 'one'); await storage.put('bob/1', 'other');`);
    await run(`await storage.put('ann/2', 'two'); await storage.put('ann/1', 'changed');`);
    expect(await run(`return storage.list('ann/');`)).toEqual(['changed', 'two']);
    await run(`await storage.delete('ann/1');`);
    expect(await run(`return storage.list('ann/');`)).toEqual(['two']);
    expect(await run(`return storage.list('bob/');`)).toEqual(['other']);
    await context.close();
  });

  test('keeps a message’s files in order until the message is deleted', async () => {
    const { context, run } = await startPages();
    await run(`const files = Array.from({ length: 10 }, (_, n) => new File([String(n)], n + '.txt'));
      await storage.put('ann/1', 'one', files);
      await storage.put('ann/12', 'twelve', [new Blob(['other'])]);
      await storage.put('ann/1', 'changed');`);
    const read = `const files = await storage.listFiles('ann/1');
      return [await storage.list('ann/'), files.map(({ name }) => name), await files[9]?.text()];`;
    const names = Array.from({ length: 10 }, (_, n) => `${n}.txt`);
    expect(await run(read)).toEqual([['changed', 'twelve'], names, '9']);
    await run(`await storage.delete('ann/1');`);
    expect(await run(read)).toEqual([['twelve'], [], undefined]);
    expect(await run(`return (await storage.listFiles('ann/12')).length;`)).toBe(1);
    await context.close();
  });
});
