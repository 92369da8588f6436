import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Locator, Page } from 'playwright-core';
import { stepTimeout } from '../../support/processes/wait-until.ts';

export interface Appearance {
  width: number;
  height: number;
  scheme: 'light' | 'dark';
}

export const wide: Appearance = { width: 1440, height: 900, scheme: 'light' };
export const phone: Appearance = { width: 360, height: 700, scheme: 'light' };

export interface PlaygroundPage {
  page: Page;
  left: Locator;
  right: Locator;
  /** Console errors and warnings, uncaught errors and failed requests. */
  errors: string[];
  close(): Promise<void>;
}

/** Console error for a 503 after a slow table call. The client retries the request. */
export const temporaryFailure =
  /^Failed to load resource: the server responded with a status of 503/;

/** Console error for a rejected request (4xx). */
export const refusal = /^Failed to load resource: the server responded with a status of 4/;

/** URL fragment that shows the conversation list on both sides. */
export const bothLists = '#left_open=list&right_open=list';

export async function openPlayground(
  browser: Browser,
  url: string,
  appearance = wide,
  hash = bothLists,
): Promise<PlaygroundPage> {
  const { width, height, scheme } = appearance;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(stepTimeout);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    faults.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('requestfailed', (request) => {
    const { errorText = '' } = request.failure() ?? {};
    // The page aborts requests if the network is cut or the result is no longer needed.
    if (errorText !== 'net::ERR_ABORTED') faults.push(`${request.url()} ${errorText}`);
  });
  await page.goto(`${url}/${hash}`);
  const left = page.locator('.person[data-side=left]');
  const right = page.locator('.person[data-side=right]');
  return { page, left, right, errors: faults, close: () => context.close() };
}

export async function findAccessibilityViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Returns the classes of elements that overflow horizontally. */
export const findOverflowingElements = (page: Page): Promise<string[]> =>
  page
    .locator('.person, .person-bar, .who, .list-tools, .segments, .messages, .bubble, .requests')
    .evaluateAll((all) =>
      all
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ className }) => className),
    );

/** Returns the names of visible controls whose width or height is below 44 CSS pixels. */
export const findSmallTargets = (page: Page): Promise<string[]> =>
  page
    .locator(
      'button:visible, a:visible:not(.text a), summary:visible, input:visible, textarea:visible',
    )
    .evaluateAll((all) =>
      all
        .filter((one) => {
          const { width, height } = one.getBoundingClientRect();
          return width < 44 || height < 44;
        })
        .map((one) => one.getAttribute('aria-label') ?? one.textContent),
    );

export const isWithinList = (part: Locator): Promise<boolean> =>
  part.evaluate((element) => {
    const inner = element.getBoundingClientRect();
    const outer = element.closest('.messages')?.getBoundingClientRect();
    return (
      outer !== undefined &&
      inner.top >= outer.top &&
      inner.bottom <= outer.bottom &&
      inner.left >= outer.left &&
      inner.right <= outer.right
    );
  });

/** Reports whether a line is laid out from right to left. */
export const isLastLetterLeftmost = (text: Locator): Promise<boolean> =>
  text.evaluate((paragraph) => {
    const { firstChild, ownerDocument } = paragraph;
    const leftOf = (index: number) => {
      const range = ownerDocument.createRange();
      range.setStart(firstChild ?? paragraph, index);
      range.setEnd(firstChild ?? paragraph, index + 1);
      return range.getBoundingClientRect().left;
    };
    return leftOf((firstChild?.textContent?.length ?? 0) - 1) < leftOf(0);
  });

export const waitUntilVisible = (locator: Locator): Promise<void> => locator.first().waitFor();

export const waitUntilHidden = (locator: Locator): Promise<void> =>
  locator.first().waitFor({ state: 'hidden' });

export const findButton = (within: Locator | Page, name: string): Locator =>
  within.getByRole('button', { name, exact: true });

export const findInboxRow = (person: Locator, name: string): Locator =>
  person.locator('.row').filter({ has: person.page().locator('.row-name', { hasText: name }) });

export const findMessage = (person: Locator, text: string): Locator =>
  person.locator('.message').filter({ hasText: text });

export async function sendMessage(person: Locator, text: string): Promise<void> {
  await person.getByRole('textbox', { name: 'Message' }).fill(text);
  await person.getByRole('textbox', { name: 'Message' }).press('Enter');
}
