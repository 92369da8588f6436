import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { Cloud } from '../../local-cloud/cloud.ts';
import * as contract from '../../shared/contract/operations.ts';
import { describeInBrowser, launchBrowser } from '../support/processes/chromium.ts';
import { startTestCloud } from '../support/processes/start-test-cloud.ts';
import { stepTimeout } from '../support/processes/wait-until.ts';
import { thoroughDescribe } from '../support/setup/sample-size.ts';

const desktop = { width: 1280, height: 900 };
const tablet = { width: 820, height: 1180 };
const phone = { width: 390, height: 844 };
/** Maximum height of an operation's page in pixels, at desktop width. */
const maxOperationHeight = 1700;
const operationIds = Object.entries(contract)
  .filter(([, value]) => 'summary' in value)
  .map(([name]) => name);

thoroughDescribe('The reference', () => {
  describeInBrowser('in a browser', scenarios);
});

let cloud: Cloud;
let browser: Browser;

async function open(path: string, viewport = desktop, colorScheme: 'light' | 'dark' = 'light') {
  const page = await (await browser.newContext({ viewport, colorScheme })).newPage();
  page.setDefaultTimeout(stepTimeout);
  const problems: string[] = [];
  const requested: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(`${cloud.url}${path}`);
  const getExternalRequests = () =>
    requested.filter((url) => !url.startsWith(`${cloud.url}/`) && !url.startsWith('data:'));
  return { page, problems, requested, getExternalRequests };
}

const findFaults = async (page: Page) => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))]);
};
/** Returns the size of the whole page in pixels. */
const measure = (page: Page): Promise<{ width: number; height: number }> =>
  page.evaluate(() => {
    const { scrollWidth, scrollHeight } = Object(globalThis).document.documentElement;
    return { width: scrollWidth, height: scrollHeight };
  });

function scenarios(): void {
  beforeAll(async () => {
    [cloud, browser] = await Promise.all([startTestCloud(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });
  describe('Forms, search and samples', testControls);
  describe('Pages', testPages);
}

function testControls(): void {
  test('The form of an operation sends the request with the entered token', async () => {
    const { page, problems, requested, getExternalRequests } = await open('/docs/retrieveContact');
    await page.getByText('Send a request').click();
    await page.getByLabel('Token').fill(await cloud.token('ann'));
    await page.getByLabel('contact_id').fill('ann');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const output = page.locator('form output');
    await output.getByText('200').waitFor();
    expect(await output.innerText()).toContain('"id": "ann"');
    expect(requested).toContain(`${cloud.url}/v1/contacts/ann`);
    expect([problems, getExternalRequests()]).toEqual([[], []]);
    expect(await findFaults(page)).toEqual([]);
  });

  test('The form sends bodies and query parameters, including repeated ones', async () => {
    const { page, requested } = await open('/docs/createConversation');
    await page.getByText('Send a request').click();
    await page.getByLabel('Token').fill(await cloud.token('ann'));
    await page.getByLabel('expand[]').fill('contact last_message');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const output = page.locator('form output');
    await output.getByText('201').waitFor();
    expect(await output.innerText()).toContain('"last_message": null');
    expect(requested.at(-1)).toContain('?expand%5B%5D=contact&expand%5B%5D=last_message');
  });

  test('Users can search for operations and error codes, and open the results with the keyboard', async () => {
    const { page, problems } = await open('/docs');
    const find = async (words: string) => {
      await page.keyboard.press('/');
      await page.keyboard.type(words);
      const first = page.locator('.results a').first();
      await first.waitFor();
      return first;
    };
    expect(await (await find('send')).innerText()).toContain('Send a message');
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/sendMessage');
    expect(await (await find('cursor_expired')).innerText()).toContain('cursor_expired');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors#cursor_expired');
    expect(problems).toEqual([]);
  });

  test('The selected language applies to all samples and to pages opened later', async () => {
    const { page } = await open('/docs');
    const visible = () => page.locator('.panels pre:visible').first().getAttribute('data-language');
    expect(await visible()).toBe('sh');
    await page.locator('.tabs label', { hasText: 'Python' }).first().click();
    expect(await visible()).toBe('python');
    expect(await page.locator('.panels pre[data-language="python"]:visible').count()).toBe(2);
    await page.goto(`${cloud.url}/docs/sendMessage`);
    expect(await visible()).toBe('python');
  });
}

function testPages(): void {
  test('An error’s documentation_url opens the section for the error’s code', async () => {
    const reply = await (await fetch(`${cloud.url}/v1/nothing`)).json();
    const { page, problems, getExternalRequests } = await open(
      Object(reply).documentation_url.slice(cloud.url.length),
    );
    expect(await page.locator(':target').innerText()).toBe('not_found');
    expect([problems, getExternalRequests()]).toEqual([[], []]);
  });

  test('Each operation’s page is at most 1,700 pixels tall on a desktop', async () => {
    const { page } = await open('/docs');
    for (const id of operationIds) {
      await page.goto(`${cloud.url}/docs/${id}`);
      const { height } = await measure(page);
      expect([id, height > maxOperationHeight ? height : 'fits']).toEqual([id, 'fits']);
    }
    expect(operationIds.length).toBeGreaterThan(10);
  });

  test.each([
    ['desktop', 'light', desktop],
    ['desktop', 'dark', desktop],
    ['tablet', 'light', tablet],
    ['tablet', 'dark', tablet],
    ['phone', 'light', phone],
    ['phone', 'dark', phone],
  ] as const)('Pages fit a %s and are accessible in %s mode', async (_, scheme, size) => {
    const { page, problems, getExternalRequests } = await open('/docs', size, scheme);
    for (const name of ['', '/sendMessage', '/listConversations', '/conventions', '/live']) {
      await page.goto(`${cloud.url}/docs${name}`);
      expect([name, await findFaults(page)]).toEqual([name, []]);
      expect([name, (await measure(page)).width]).toEqual([name, size.width]);
    }
    expect([problems, getExternalRequests()]).toEqual([[], []]);
  });

  test('The menu on a phone opens the index', async () => {
    const { page } = await open('/docs/errors', phone);
    const link = page.getByRole('link', { name: 'Send a message' });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    expect(await findFaults(page)).toEqual([]);
    await link.click();
    await page.waitForURL('**/docs/sendMessage');
  });

  test('The content security policy blocks an inline script', async () => {
    const { page, problems } = await open('/docs/errors');
    await page.evaluate(() => {
      const { document } = Object(globalThis);
      const script = document.createElement('script');
      script.textContent = 'document.title = "run"';
      document.body.append(script);
    });
    expect(await page.title()).not.toBe('run');
    expect(problems.join()).toContain('Content Security Policy');
  });
}
