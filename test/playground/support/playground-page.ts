import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Locator, Page } from 'playwright-core';

/** Longer than anything takes on a machine that has much else to do. */
const timeoutMs = 30_000;

export interface Appearance {
  width: number;
  height: number;
  scheme: 'light' | 'dark';
}

export const wide: Appearance = { width: 1440, height: 900, scheme: 'light' };

/** The playground in a browser, and all that went wrong there. */
export interface PlaygroundPage {
  page: Page;
  left: Locator;
  right: Locator;
  /** Errors of the console and of the page, violations of its policy, requests that failed. */
  errors: string[];
  close(): Promise<void>;
}

/** Opens the playground; `hash` is what stands after the address's #. */
export async function openPlayground(
  browser: Browser,
  url: string,
  appearance = wide,
  hash = '',
): Promise<PlaygroundPage> {
  const { width, height, scheme } = appearance;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(timeoutMs);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('requestfailed', (request) => {
    const { errorText = '' } = request.failure() ?? {};
    // The page has given it up itself: somebody's network is cut, or they are not asked about any more.
    if (errorText !== 'net::ERR_ABORTED') faults.push(`${request.url()} ${errorText}`);
  });
  await page.goto(`${url}/${hash}`);
  const left = page.locator('.person[data-side=left]');
  const right = page.locator('.person[data-side=right]');
  return { page, left, right, errors: faults, close: () => context.close() };
}

/** What axe-core finds: the rule, and where. */
export async function findAccessibilityViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}

/** What has more in it than its width shows, and is not made for that: the names of its class. */
export const findOverflowingElements = (page: Page): Promise<string[]> =>
  page
    .locator('.person, .person-bar, .who, .list-tools, .segments, .messages, .bubble, .requests')
    .evaluateAll((all) =>
      all
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ className }) => className),
    );

/** Whether a line of text ends at its left, as one that is written from right to left. */
export const lastLetterIsLeftmost = (text: Locator): Promise<boolean> =>
  text.evaluate((paragraph) => {
    const { firstChild, ownerDocument } = paragraph;
    const leftOf = (place: number) => {
      const range = ownerDocument.createRange();
      range.setStart(firstChild ?? paragraph, place);
      range.setEnd(firstChild ?? paragraph, place + 1);
      return range.getBoundingClientRect().left;
    };
    return leftOf((firstChild?.textContent?.length ?? 0) - 1) < leftOf(0);
  });

/** Waits until it is there to see. */
export const waitUntilVisible = (locator: Locator): Promise<void> => locator.first().waitFor();

/** Waits until it is not there to see. */
export const waitUntilHidden = (locator: Locator): Promise<void> =>
  locator.first().waitFor({ state: 'hidden' });

export const findButton = (within: Locator | Page, name: string): Locator =>
  within.getByRole('button', { name, exact: true });

/** The row of the inbox with that name. */
export const findInboxRow = (person: Locator, name: string): Locator =>
  person.locator('.row').filter({ has: person.page().locator('.row-name', { hasText: name }) });

export const findMessage = (person: Locator, text: string): Locator =>
  person.locator('.message').filter({ hasText: text });

export async function sendMessage(person: Locator, text: string): Promise<void> {
  await person.getByRole('textbox', { name: 'Message' }).fill(text);
  await person.getByRole('textbox', { name: 'Message' }).press('Enter');
}
