import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page, WebSocket } from 'playwright-core';
import { type Client, createClient } from '../../client/src/index.ts';
import { runNode } from '../../lib/synthesis/run-node.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { listen } from '../../local-cloud/listen.ts';
import { root } from '../docs/pages.ts';
import { describeInBrowser, launchBrowser } from '../support/processes/chromium.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { stepTimeout, waitUntil } from '../support/processes/wait-until.ts';

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

const serveFolder = (folder: string) =>
  listen(
    createServer(({ url = '/' }, response) => {
      const file = url === '/' ? '/index.html' : url;
      response.setHeader('Content-Type', types[extname(file)] ?? 'text/plain');
      response.end(readFileSync(join(folder, file)));
    }),
    0,
  );

describeInBrowser('The React example', () => {
  const folder = mkdtempSync(join(tmpdir(), 'react-example-'));
  let cloud: Cloud;
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serveFolder>>;

  beforeAll(async () => {
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    const built = runNode([vite, 'build', 'examples/react', '--outDir', folder], { cwd: root });
    [cloud, browser] = await Promise.all([startTestCloud(), launchBrowser()]);
    expect((await built).failed).toBe(false);
    server = await serveFolder(folder);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await cloud?.stop();
    rmSync(folder, { recursive: true });
  });

  const openPage = async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(stepTimeout);
    await page.goto(`http://127.0.0.1:${server.port}/`);
    return page;
  };
  const signIn = async (page: Page, token: string) => {
    await page.getByLabel('API address').fill(cloud.url);
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const send = async (page: Page, text: string) => {
    await page.getByLabel('Message').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
  };
  const readTexts = async (client: Client, conversation_id: string) =>
    (await client.messages.list({ conversation_id, peek: true }).page()).data.map(
      ({ message }) => message,
    );

  test('supports chat, reports, blocks and files, sends offline messages after a reconnection, and signs out', async () => {
    const page = await openPage();
    const sockets = new Set<WebSocket>();
    page.on('websocket', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    const bob = createClient({ url: cloud.url, token: () => cloud.token('bob') });
    const { id } = await bob.conversations.create({ contact_id: 'ann' });
    await bob.messages.send({ conversation_id: id, message: 'Lunch at noon?' });

    await signIn(page, await cloud.token('ann'));
    const status = page.getByRole('status');
    await status.getByText('Up to date').waitFor();
    // StrictMode mounts components twice, but the app must keep only one connection.
    expect(sockets.size).toBe(1);
    await page.getByRole('navigation').getByText('Lunch at noon?').click();
    const messages = page.getByRole('listitem');
    await messages.getByText('Lunch at noon?').waitFor();

    await send(page, 'Gladly');
    await messages.getByText('ann Gladly').waitFor();
    for await (const _ of bob.messages.list({ conversation_id: id })) break;
    await messages.filter({ hasText: 'ann Gladly' }).getByText('Seen').waitFor();
    const question = messages.filter({ hasText: 'bob Lunch at noon?' });
    await question.getByRole('button', { name: 'Reply' }).click();
    await send(page, 'At the corner');
    await messages.filter({ hasText: 'At the corner' }).getByText('Lunch at noon?').waitFor();
    await bob.messages.send({ conversation_id: id, message: 'See you there' });
    await messages.getByText('See you there').waitFor();

    const reply = messages.filter({ hasText: 'See you there' });
    await reply.getByRole('button', { name: 'Report' }).click();
    await reply.getByText('Reported').waitFor();
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    const unblock = page.getByRole('button', { name: 'Unblock' });
    await unblock.waitFor();
    const refused = bob.messages.send({ conversation_id: id, message: 'Why?' });
    await expect(refused).rejects.toMatchObject({ code: 'blocked' });
    await unblock.click();
    await page.getByRole('button', { name: 'Block', exact: true }).waitFor();

    await page.getByLabel('Files').setInputFiles({
      ...{ name: 'menu.png', mimeType: 'image/png', buffer: Buffer.from('Soup') },
    });
    await send(page, 'The menu');
    const menu = messages.filter({ hasText: 'ann The menu' });
    const opening = page.waitForEvent('popup');
    await menu.getByRole('button', { name: 'menu.png' }).click();
    expect((await opening).url()).toContain('X-Amz-Signature');

    await page.context().setOffline(true);
    await status.getByText('Offline').waitFor();
    await send(page, 'I am on the train');
    await page.getByLabel('Files').setInputFiles({
      ...{ name: 'train.png', mimeType: 'image/png', buffer: Buffer.from('Train') },
    });
    await send(page, 'I may be late');
    await page.locator('.pending', { hasText: 'I may be late' }).waitFor();
    await page.context().setOffline(false);
    await status.getByText('Up to date').waitFor();
    await messages.getByText('ann I may be late').waitFor();
    const late = messages.filter({ hasText: 'ann I may be late' });
    await late.getByRole('button', { name: 'train.png' }).waitFor();
    expect(await page.locator('.pending').count()).toBe(0);
    expect(await readTexts(bob, id)).toEqual([
      'I may be late',
      'I am on the train',
      'The menu',
      'See you there',
      'At the corner',
      'Gladly',
      'Lunch at noon?',
    ]);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    await waitUntil(() => sockets.size === 0);
    await page.close();
  });

  test('creates a group, and adds and removes a member', async () => {
    const page = await openPage();
    await signIn(page, await cloud.token('ann'));
    await page.getByLabel('Title').fill('Cinema');
    await page.getByLabel('Members').fill('bob');
    await page.getByRole('button', { name: 'New group' }).click();
    await page.getByRole('navigation').getByText('Cinema').waitFor();
    await send(page, 'Friday at eight?');
    await page.getByText('2 members').click();
    await page.getByLabel('Contact').fill('carol');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('3 members').waitFor();
    const carol = createClient({ url: cloud.url, token: () => cloud.token('carol') });
    const listTexts = async () =>
      (await carol.messages.list().page()).data.map(({ message }) => message).join();
    // The page shows a message as pending before the API stores the message.
    await waitUntil(async () => (await listTexts()) === 'Friday at eight?');
    await page.getByRole('button', { name: 'Remove carol' }).click();
    await page.getByText('2 members').waitFor();
    expect(await listTexts()).toBe('');
    await page.getByRole('button', { name: 'Remove ann' }).click();
    await page.getByRole('alert').waitFor();
    await page.close();
  });

  test('shows the sign-in form if the token has expired', async () => {
    const page = await openPage();
    await signIn(page, await cloud.token('ann', { expires_in: -1 }));
    await page.getByLabel('Token').waitFor();
    await page.close();
  });
});
