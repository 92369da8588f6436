import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect } from '@jest/globals';
import type { Locator, Route } from 'playwright-core';
import { PNG } from 'pngjs';
import { createClient } from '../../client/src/index.ts';
import { describeInBrowser } from '../support/processes/chromium.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import { quickTest, thoroughTest } from '../support/setup/sample-size.ts';
import {
  findAccessibilityViolations,
  findButton,
  findInboxRow,
  findMessage,
  findOverflowingElements,
  findSmallTargets,
  phone,
  sendMessage,
  waitUntilHidden,
  waitUntilVisible,
  wide,
} from './support/playground-page.ts';
import { setUpPlayground } from './support/playground-server.ts';

const photo = { name: 'photo.png', mimeType: 'image/png', buffer: createPhoto(40, 30) };
const menu = { name: 'menu.txt', mimeType: 'text/plain', buffer: Buffer.from('Soup of the day') };

const toFileCode = ({ name, mimeType, buffer }: typeof photo) =>
  `new File([Uint8Array.from([${[...buffer]}])], '${name}', { type: '${mimeType}' })`;

/** Returns a PNG with incompressible pixels. */
function createPhoto(width: number, height: number): Buffer {
  const image = new PNG({ width, height });
  let state = 1;
  for (const n of image.data.keys()) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    image.data[n] = n % 4 === 3 ? 255 : state >> 16;
  }
  return PNG.sync.write(image);
}

describeInBrowser('Files in the playground', () => {
  const playground = setUpPlayground();

  /** Opens the conversation between Ann and Bob on both sides; on a phone, only on Ann's side. */
  const openConversation = async ({ width } = wide) => {
    const { left, right } = playground.shown;
    await findInboxRow(left, 'Bob').click();
    if (width > 720) await findInboxRow(right, 'Ann').click();
    await waitUntilVisible(left.locator('.message'));
  };
  beforeEach(() => openConversation());

  const pick = async (person: Locator, ...files: (typeof photo)[]) => {
    const choosing = playground.shown.page.waitForEvent('filechooser');
    await findButton(person, 'Attach files').click();
    await (await choosing).setFiles(files);
  };
  const drag = async (target: Locator, types: string[], file: typeof photo) => {
    const dataTransfer = await playground.shown.page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(${toFileCode(file)});
      return transfer;
    })()`);
    for (const type of types) await target.dispatchEvent(type, { dataTransfer });
  };
  const isShown = (image: Locator) =>
    waitUntil(() => image.evaluate((one) => Number(Object(one).naturalWidth) === 40));
  /** Limits the page's uploads to 5 kB per second. Returns a function that removes the limit. */
  const slowDown = async () => {
    const session = await playground.shown.page.context().newCDPSession(playground.shown.page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 5000 },
    });
    return () => session.detach();
  };
  const onNextUpload = (handle: (route: Route) => Promise<void>) =>
    playground.shown.page.route(
      ({ searchParams }) => searchParams.has('X-Amz-Signature'),
      (route) => (route.request().method() === 'PUT' ? handle(route) : route.fallback()),
      { times: 1 },
    );

  quickTest('are attached by picker, drop and paste, and arrive with their message', async () => {
    const { left, right, page } = playground.shown;
    await pick(left, photo, menu);
    const draft = left.getByRole('list', { name: 'Attachments of this message' });
    await waitUntilVisible(draft.getByText('menu.txt'));
    await findButton(draft, 'Remove menu.txt').click();
    await isShown(draft.locator('img'));
    const pane = left.locator('.chat-pane');
    await drag(pane, ['dragenter', 'dragover'], menu);
    await waitUntilVisible(left.getByText('Drop files to attach them'));
    await drag(pane, ['drop'], menu);
    await waitUntilHidden(left.getByText('Drop files to attach them'));
    await left.getByRole('textbox', { name: 'Message' }).focus();
    await page.evaluate(
      `navigator.clipboard.write([new ClipboardItem({ 'image/png': ${toFileCode(photo)} })])`,
    );
    await page.keyboard.press('Control+V');
    await waitUntilVisible(draft.getByText('image.png'));
    expect(await findAccessibilityViolations(page)).toEqual([]);

    await sendMessage(left, 'Three files');
    const message = findMessage(right, 'Three files');
    const files = message.locator('button.attachment');
    await waitUntilVisible(files.nth(2));
    expect(await files.locator('.attachment-name').allInnerTexts()).toEqual([
      ...['photo.png', 'menu.txt', 'image.png'],
    ]);
    expect(await files.nth(1).innerText()).toContain('text/plain · 15 B · ');
    for (const n of [0, 2]) await isShown(files.nth(n).locator('img'));
    expect(await findAccessibilityViolations(page)).toEqual([]);

    const downloading = page.waitForEvent('download');
    await files.nth(1).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('menu.txt');
    expect(await readFile(await download.path(), 'utf8')).toBe('Soup of the day');
    const opening = page.waitForEvent('popup');
    await files.nth(0).click();
    await isShown((await opening).locator('img'));
  });

  thoroughTest('show their progress, and can be canceled during the upload', async () => {
    const { left, right, page } = playground.shown;
    const speedUp = await slowDown();
    const large = { ...photo, buffer: createPhoto(800, 800) };
    await pick(left, large);
    await sendMessage(left, 'Too large');
    await sendMessage(left, 'Later');
    const pending = left.locator('.pending', { hasText: 'Too large' });
    const bar = pending.getByRole('progressbar', { name: 'Upload of photo.png' });
    const readValue = () => bar.evaluate((one) => Number(Object(one).value));
    await waitUntil(async () => (await readValue()) > 0);
    expect(await readValue()).toBeLessThan(large.buffer.length);
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await findButton(pending, 'Cancel').click();
    await waitUntilHidden(pending);
    await speedUp();
    await waitUntilVisible(findMessage(right, 'Later'));
    expect(await findMessage(right, 'Too large').count()).toBe(0);
  });

  thoroughTest('are sent once after a network outage and a reload', async () => {
    const { left, right, page } = playground.shown;
    const speedUp = await slowDown();
    await pick(left, { ...photo, buffer: createPhoto(800, 800) });
    await sendMessage(left, 'From the train');
    const pending = left.locator('.pending', { hasText: 'From the train' });
    const bar = pending.getByRole('progressbar');
    await waitUntil(() => bar.evaluate((one) => Number(Object(one).value) > 0));
    await left.getByRole('switch', { name: 'Network' }).click();
    await waitUntilVisible(left.locator('.status', { hasText: 'Offline' }));
    await speedUp();
    await page.reload();
    const message = findMessage(right, 'From the train');
    await waitUntilVisible(message.locator('.attachment-image'));
    await waitUntil(async () => (await message.count()) === 1);
    await waitUntilHidden(left.locator('.pending'));
  });

  thoroughTest('are sent once even if an upload or its reply is lost', async () => {
    const { left, right } = playground.shown;
    playground.allowErrors(/ERR_FAILED/, /status of 412/);
    await onNextUpload(async (route) => {
      // S3 stores the file, but its reply is lost.
      await route.fetch();
      await route.abort();
    });
    await pick(left, menu);
    await sendMessage(left, 'The reply is lost');
    await waitUntilVisible(findMessage(right, 'The reply is lost').getByText('menu.txt'));
    await onNextUpload((route) => route.abort());
    await pick(left, menu);
    await sendMessage(left, 'The request is lost');
    await waitUntilVisible(findMessage(right, 'The request is lost').getByText('menu.txt'));
  });

  thoroughTest('that contain malware are labeled and cannot be opened', async () => {
    const { left, right, page } = playground.shown;
    const pattern = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'];
    await pick(left, { ...menu, buffer: Buffer.from(pattern.join('')) }, photo);
    await sendMessage(left, 'One is infected');
    const message = findMessage(right, 'One is infected');
    const infected = message.locator('.attachment[data-status=infected]');
    await waitUntilVisible(infected.getByText('Contains malware'));
    expect(await infected.evaluate(({ tagName }) => tagName)).toBe('SPAN');
    await isShown(message.locator('button.attachment img'));
    expect(await findAccessibilityViolations(page)).toEqual([]);
  });

  thoroughTest('appear in the request log with a curl command that uploads them', async () => {
    const { left, right, page } = playground.shown;
    await pick(left, menu);
    await sendMessage(left, 'By curl');
    await waitUntilVisible(findMessage(right, 'By curl'));
    const entry = page.locator('.action', { hasText: 'Ann uploads a file' }).first();
    await entry.locator('summary').first().click();
    await entry.locator('.entry summary').click();
    const command = await entry.locator('pre', { hasText: 'curl -T' }).innerText();
    const folder = await mkdtemp(join(tmpdir(), 'upload-'));
    await writeFile(join(folder, menu.name), menu.buffer);
    const status = `${command} -s -o /dev/null -w '%{http_code}'`;
    // The file already exists, so S3 replies with 412 if the headers and the signature are valid.
    const { stdout } = await promisify(execFile)('sh', ['-c', status], { cwd: folder });
    expect(stdout).toBe('412');
    await rm(folder, { recursive: true });
  });

  thoroughTest('that the API rejects return to the draft with an error message', async () => {
    const { left } = playground.shown;
    playground.allowErrors(/status of 4/);
    await pick(left, { ...menu, buffer: Buffer.alloc(0) });
    await sendMessage(left, 'An empty file');
    const alert = left.getByRole('alert');
    await waitUntilVisible(alert.getByText('parameter_invalid'));
    await findButton(alert, 'Dismiss').click();
    await waitUntilVisible(findButton(left, 'Remove menu.txt'));
    await findButton(left, 'Remove menu.txt').click();
  });

  thoroughTest('are deleted with their message', async () => {
    const { left, right } = playground.shown;
    const ann = createClient({
      url: playground.cloud.url,
      token: () => playground.cloud.token('ann'),
    });
    await pick(left, menu);
    await sendMessage(left, 'Not for long');
    await waitUntilVisible(findMessage(right, 'Not for long'));
    const page = await ann.messages.list({ limit: 1 }).page();
    const id = String(page.data[0]?.attachments[0]?.id);
    const ownMessage = findMessage(left, 'Not for long');
    await ownMessage.hover();
    await findButton(ownMessage, 'Delete the message').click();
    await findButton(playground.shown.page.getByRole('dialog'), 'Delete').click();
    await waitUntilHidden(findMessage(right, 'Not for long'));
    const retrieving = ann.attachments.retrieve({ attachment_id: id });
    await expect(retrieving).rejects.toMatchObject({ code: 'not_found' });
  });

  thoroughTest('have large targets on a phone, and are sent and opened by keyboard', async () => {
    const { left, page } = await playground.open(phone);
    await openConversation(phone);
    const long = { ...menu, name: `${'long-name-'.repeat(20)}.txt` };
    await pick(left, photo, long);
    expect(await findSmallTargets(page)).toEqual([]);
    expect(await findOverflowingElements(page)).toEqual([]);
    await left.getByRole('textbox', { name: 'Message' }).press('Enter');
    const sent = left.locator('button.attachment').last();
    await waitUntilVisible(sent.getByText(long.name));
    expect(await findSmallTargets(page)).toEqual([]);
    expect(await findOverflowingElements(page)).toEqual([]);
    await sent.focus();
    const downloading = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    expect((await downloading).suggestedFilename()).toBe(long.name);
  });
});
