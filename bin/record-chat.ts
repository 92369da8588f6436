/** Records docs/images/chat.gif from the playground of a running local cloud. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import gifenc from 'gifenc';
import { chromium, type Locator, type Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { defineCommand, run } from '../commands/cli/command.ts';

const file = join(import.meta.dirname, '../docs/images/chat.gif');
const size = { width: 960, height: 600 };
/** Number of colors in the palette; a small palette keeps the file small. */
const colors = 64;

const command = defineCommand('record-chat')
  .argument('<address>', 'address of the playground, such as http://127.0.0.1:3000')
  .action(async (address) => {
    const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    const page = await browser.newPage({ viewport: size, reducedMotion: 'reduce' });
    await page.goto(address);
    const gif = gifenc.GIFEncoder();
    await chat(page, (milliseconds) => addFrame(page, gif, milliseconds));
    gif.finish();
    writeFileSync(file, gif.bytes());
    await browser.close();
    console.log(`Wrote ${file}: ${readFileSync(file).length} bytes.`);
  });

async function chat(page: Page, show: (milliseconds: number) => Promise<void>): Promise<void> {
  const ann = page.locator('.person[data-side=left]');
  const bob = page.locator('.person[data-side=right]');
  for (const person of [ann, bob]) await person.locator('.message').first().waitFor();
  await show(1200);
  await send(ann, 'Lunch at noon?');
  await bob.locator('.message', { hasText: 'Lunch at noon?' }).first().waitFor();
  await show(1500);
  await bob.getByRole('switch', { name: 'Network' }).click();
  await send(ann, 'Are you there?');
  await show(2000);
  await bob.getByRole('switch', { name: 'Network' }).click();
  await bob.locator('.message', { hasText: 'Are you there?' }).first().waitFor();
  await show(1500);
  await send(bob, 'Back again. See you at noon!');
  await ann.locator('.message', { hasText: 'Back again.' }).first().waitFor();
  await show(3000);
}

async function send(person: Locator, text: string): Promise<void> {
  const box = person.getByRole('textbox', { name: 'Message' });
  await box.fill(text);
  await box.press('Enter');
}

async function addFrame(
  page: Page,
  gif: ReturnType<typeof gifenc.GIFEncoder>,
  milliseconds: number,
): Promise<void> {
  const { data, width, height } = PNG.sync.read(await page.screenshot());
  const palette = gifenc.quantize(data, colors);
  const pixels = gifenc.applyPalette(data, palette);
  gif.writeFrame(pixels, width, height, { palette, delay: milliseconds });
}

await run(command);
