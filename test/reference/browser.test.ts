import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { readAssembly } from '../../lib/synthesis/synthesis.ts';
import { type Cloud, startCloud } from '../../local-cloud/cloud.ts';
import { env } from '../../shared/env.ts';
import { describeInBrowser, launchBrowser } from '../support/processes/chromium.ts';
import { thoroughDescribe } from '../support/setup/sample-size.ts';

/** In milliseconds: a browser beside other tests has little of the machine. */
const patience = 240_000;
jest.setTimeout(patience);

thoroughDescribe('The reference', () => {
  describeInBrowser('in a browser', scenarios);
});

function scenarios(): void {
  let cloud: Cloud;
  let browser: Browser;
  beforeAll(async () => {
    const dataDirectory = join(import.meta.dirname, '../../.local/test/reference-browser');
    const assembly = await readAssembly(env('TEST_ASSEMBLY'));
    [cloud, browser] = await Promise.all([
      startCloud({ port: 0, inMemory: true, dataDirectory, assembly }),
      launchBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });

  /** A page, what it complained of, and which addresses it asked for. */
  async function opened(path: string) {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(patience);
    const complaints: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => asked.push(request.url()));
    // What the policy forbids is in the console, as an error.
    await page.goto(`${cloud.url}${path}`);
    const elsewhere = () =>
      asked.filter((url) => !url.startsWith(`${cloud.url}/`) && !url.startsWith('data:'));
    return { page, complaints, asked, elsewhere };
  }

  const faultsOf = async (page: Page) => {
    const { violations } = await new AxeBuilder({ page })
      // Swagger UI has a link to each operation inside of the button that opens it.
      .disableRules(['nested-interactive'])
      .analyze();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))]);
  };

  test('an operation is tried with a token that was pasted, at the stage that serves the page and nowhere else', async () => {
    const { page, complaints, asked, elsewhere } = await opened('/docs');
    const contacts = page.locator('#operations-contacts-retrieveContact');
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByLabel('auth-bearer-value').fill(await cloud.token('ann'));
    await page.getByRole('button', { name: 'Apply credentials' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await contacts.locator('.opblock-summary-control').click();
    await contacts.getByRole('button', { name: 'Try it out' }).click();
    await contacts.getByPlaceholder('contact_id').fill('ann');
    await contacts.getByRole('button', { name: 'Execute' }).click();
    const answer = contacts.locator('.live-responses-table tbody .response').first();
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').innerText()).toMatch(/^200/);
    expect(await answer.innerText()).toContain('"id": "ann"');
    expect(asked).toContain(`${cloud.url}/v1/contacts/ann`);
    expect([complaints, elsewhere()]).toEqual([[], []]);
    expect(await faultsOf(page)).toEqual([]);
  });

  test('an error is read where its documentation_url leads', async () => {
    const reply = await (await fetch(`${cloud.url}/v1/nothing`)).json();
    const { page, complaints, elsewhere } = await opened(
      Object(reply).documentation_url.slice(cloud.url.length),
    );
    expect(await page.locator(':target h2').innerText()).toBe('not_found');
    expect([complaints, elsewhere()]).toEqual([[], []]);
    expect(await faultsOf(page)).toEqual([]);
  });

  test('what the policy forbids would be seen: a script in the page does not run', async () => {
    const { page, complaints } = await opened('/docs/errors');
    await page.evaluate(() => {
      const { document } = Object(globalThis);
      const script = document.createElement('script');
      script.textContent = 'document.title = "run"';
      document.body.append(script);
    });
    expect(await page.title()).not.toBe('run');
    expect(complaints.join()).toContain('Content Security Policy');
  });
}
