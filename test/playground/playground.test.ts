import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { describeInBrowser } from '../support/chromium.ts';
import { testOfAll } from '../support/size.ts';
import { until } from '../support/until.ts';
import {
  beyond,
  button,
  findings,
  gone,
  type Look,
  lastLetterIsLeftmost,
  message,
  row,
  type Shown,
  seen,
  show,
  wide,
  write,
} from './support/page.ts';
import { served } from './support/served.ts';

// Each step waits for what it wants to see; all of them together have time on a machine that has much else to do.
jest.setTimeout(240_000);

const phone: Look = { width: 360, height: 700, scheme: 'light' };
const looks: readonly (readonly [string, Look])[] = [
  ['wide and light', wide],
  ['wide and dark', { ...wide, scheme: 'dark' }],
  ['narrow and light', phone],
  ['narrow and dark', { ...phone, scheme: 'dark' }],
];

/** What a request that is refused makes the browser say. */
const refusal = /^Failed to load resource: the server responded with a status of 4/;

describeInBrowser('The playground in a browser', () => {
  const running = served();
  let shown: Shown;
  let expected: RegExp[] = [];

  const open = async (look = wide, hash = '') => {
    await shown?.close();
    shown = await show(running.browser, running.cloud.url, look, hash);
    return shown;
  };

  beforeEach(async () => {
    expected = [];
    await open();
  });
  afterEach(async () => {
    const { faults } = shown;
    await shown.close();
    expect(faults.filter((fault) => !expected.some((one) => one.test(fault)))).toEqual([]);
  });

  /** Both have the conversation of the two open. */
  const together = async () => {
    const { left, right } = shown;
    await row(left, 'Bob').click();
    await row(right, 'Ann').click();
    await Promise.all([left, right].map((one) => seen(one.locator('.message'))));
  };

  test('shows what one writes to the other at once, and that it was read', async () => {
    const { left, right, page } = shown;
    await row(left, 'Bob').click();
    await write(left, 'Shall we take the train?');
    await seen(message(left, 'Shall we take the train?').getByText('Sent', { exact: true }));
    await seen(row(right, 'Ann').getByText('Shall we take the train?'));
    await seen(row(right, 'Ann').locator('.badge'));
    await row(right, 'Ann').click();
    await seen(message(right, 'Shall we take the train?'));
    await seen(message(left, 'Shall we take the train?').getByText('Read', { exact: true }));
    await write(right, 'At seven!');
    await seen(message(left, 'At seven!'));
    expect(await findings(page)).toEqual([]);
  });

  testOfAll('edits, reacts, pins and deletes by clicking', async () => {
    await together();
    const { left, right, page } = shown;
    await write(left, 'I have one seat');
    const mine = message(left, 'I have');
    await mine.hover();
    await button(mine, 'Edit').click();
    await write(left, 'I have two seats');
    await seen(message(right, 'I have two seats').getByText('edited'));

    const theirs = message(right, 'I have two seats');
    await theirs.hover();
    await button(theirs, 'React').click();
    await button(theirs, 'party').click();
    await seen(mine.locator('.reaction', { hasText: '🎉 1' }));
    await mine.locator('.reaction').click();
    await seen(theirs.locator('.reaction', { hasText: '🎉 2' }));
    await theirs.locator('.reaction').click();
    await seen(mine.locator('.reaction', { hasText: '🎉 1' }));

    await theirs.hover();
    await button(theirs, 'Pin the message').click();
    await seen(left.locator('.pinned-bar', { hasText: 'I have two seats' }));
    await button(left, 'Unpin the message').first().click();
    await gone(right.locator('.pinned-bar'));

    await mine.hover();
    await button(mine, 'Delete the message').click();
    await button(page.getByRole('dialog'), 'Delete').click();
    await gone(theirs);
    await gone(mine);
  });

  testOfAll('does all that with a message by keys alone', async () => {
    const { left, right, page } = shown;
    await row(left, 'Bob').focus();
    await page.keyboard.press('Enter');
    await row(right, 'Ann').focus();
    await page.keyboard.press('Enter');
    await seen(message(right, 'Gladly'));
    await left.getByRole('textbox', { name: 'Message' }).focus();
    await page.keyboard.type('By keys');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('alone');
    await page.keyboard.press('Enter');
    await seen(message(right, 'By keys\nalone'));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    await page.keyboard.type(', really');
    await page.keyboard.press('Enter');
    await seen(message(right, 'really').getByText('edited'));

    // From the message that one Shift+Tab goes back to.
    const mine = message(left, 'really');
    await mine.focus();
    await page.keyboard.press('r');
    await seen(mine.locator('.emoji:focus'));
    await page.keyboard.press('Enter');
    await seen(message(right, 'really').locator('.reaction', { hasText: '👍 1' }));
    await mine.focus();
    await page.keyboard.press('p');
    await seen(right.locator('.pinned-bar', { hasText: 'really' }));
    await mine.focus();
    await page.keyboard.press('ArrowUp');
    expect(await mine.evaluate((element) => element.matches(':focus'))).toBe(false);
    await page.keyboard.press('End');
    expect(await mine.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.keyboard.press('Delete');
    await seen(page.getByRole('dialog'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await gone(message(right, 'really'));
    await left.getByRole('textbox', { name: 'Message' }).focus();
    await page.keyboard.press('Escape');
    await seen(row(left, 'Bob'));
  });

  testOfAll('sends attachments, and shows what is wrong with one in the API’s words', async () => {
    await together();
    const { left, right, page } = shown;
    const attach = async (address: string) => {
      await button(left, 'Attach').first().click();
      const form = left.locator('.attachment-form');
      await form.getByLabel('Name').fill('tickets.pdf');
      await form.getByLabel('Address').fill(address);
      await form.getByLabel('Type').fill('application/pdf');
      await form.getByLabel('Bytes').fill('148213');
      await button(form, 'Attach').click();
    };
    await attach('https://files.example.com/tickets.pdf');
    await write(left, 'Here they are');
    const link = message(right, 'Here they are').getByRole('link');
    await seen(link);
    expect(await link.getAttribute('href')).toBe('https://files.example.com/tickets.pdf');
    expect(await link.innerText()).toBe('tickets.pdf\napplication/pdf · 148 kB');

    expected = [refusal];
    await attach('http://files.example.com/tickets.pdf');
    await write(left, 'And again');
    const alert = left.getByRole('alert');
    await seen(alert.getByText('parameter_invalid'));
    await seen(alert.getByText('attachments[0].url', { exact: true }));
    const help = alert.getByRole('link', { name: 'What helps' });
    expect(await help.getAttribute('href')).toMatch(/parameter_invalid/);
    expect(await findings(page)).toEqual([]);
    await button(alert, 'Dismiss').click();
    expect(await left.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('And again');
  });

  testOfAll('pins, mutes, archives and deletes conversations; the lists follow', async () => {
    const { left, right, page } = shown;
    await button(left, 'New conversation').click();
    await button(page.getByRole('dialog'), 'bob').click();
    await page.getByRole('dialog').getByRole('checkbox').uncheck();
    await button(page.getByRole('dialog'), 'Start').click();
    await write(left, 'A second one');
    await seen(row(right, 'Ann').getByText('A second one'));
    await button(left, 'Pin the conversation').click();
    await button(left, 'Mute the conversation').click();
    await seen(left.locator('.chat-actions [aria-pressed=true]').nth(1));
    await button(left, 'Back to the list').click();
    const one = row(left, 'Bob').filter({ hasText: 'A second one' });
    await seen(one.getByTitle('Pinned'));
    await seen(one.getByTitle('Muted'));
    for (const filter of ['Pinned', 'Muted']) {
      await button(left, filter).click();
      await seen(one);
      expect(await left.locator('.row').count()).toBe(1);
    }
    await one.click();
    await button(left, 'Archive the conversation').click();
    await seen(left.locator('.chat-actions [aria-pressed=true]').nth(2));
    await button(left, 'Back to the list').click();
    await button(left, 'Inbox').click();
    await seen(row(left, 'Bob'));
    await gone(one);
    await button(left, 'Archived').click();
    await one.click();
    await button(left, 'Delete the conversation').click();
    await button(page.getByRole('dialog'), 'Delete for everybody').click();
    await seen(left.getByText('No conversation is archived.'));
    await gone(row(right, 'Ann').filter({ hasText: 'A second one' }));
  });

  testOfAll('has group conversations, which say who wrote', async () => {
    const { left, right, page } = shown;
    await button(right, 'New conversation').click();
    await button(page.getByRole('dialog'), 'team').click();
    await button(page.getByRole('dialog'), 'Start').click();
    await write(right, 'To all of the team');
    await row(left, 'team').filter({ hasText: 'To all of the team' }).click();
    await seen(left.locator('.sender', { hasText: 'Bob' }));
    await seen(message(right, 'To all of the team').getByText('Read', { exact: true }));
  });

  testOfAll('lets anybody be anybody, in any groups, and remembers it', async () => {
    const { left, page } = shown;
    await left.locator('.who').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Contact id').fill('dora@home');
    await dialog.getByLabel('Name').fill('Dora');
    await dialog.getByLabel('Groups').fill('team, chess');
    await button(dialog, 'Be Dora').click();
    await seen(left.getByText('dora@home · team · chess'));
    await row(left, 'team').filter({ hasText: 'Well done' }).click();
    await seen(message(left, 'The release is out.'));
    await page.reload();
    await seen(left.getByText('dora@home · team · chess'));
    await button(left, 'New conversation').click();
    await page.getByRole('dialog').getByLabel('Group id').fill('secret');
    expected = [refusal];
    await button(page.getByRole('dialog'), 'Start').click();
    await seen(left.getByRole('alert').getByText('not_allowed'));
    expect(await findings(page)).toEqual([]);
  });

  testOfAll('pages back through a long conversation, to where it began', async () => {
    const { cloud } = running;
    const headers = {
      Authorization: `Bearer ${await cloud.token('eve')}`,
      'Content-Type': 'application/json',
    };
    const post = async (path: string, body: object) => {
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const reply = await (await fetch(`${cloud.url}/v1/${path}`, init)).json();
      return String(Object(reply).id);
    };
    const conversation_id = await post('conversations', { contact_id: 'finn' });
    for (let n = 1; n <= 75; n += 1)
      await post('messages', { conversation_id, message: `No. ${n};` });
    const { left } = await open(wide, '#left=finn&right=eve');
    await seen(row(left, 'eve').locator('.badge', { hasText: '75' }));
    await row(left, 'eve').click();
    await seen(message(left, 'No. 75;'));
    expect(await message(left, 'No. 1;').count()).toBe(0);
    const list = left.locator('.messages');
    await until(async () => {
      await list.hover();
      await shown.page.mouse.wheel(0, -4000);
      return (await message(left, 'No. 1;').count()) === 1;
    });
    expect(await left.locator('.message').count()).toBe(75);
    await button(left, 'To the newest message').click();
    await seen(message(left, 'No. 75;'));
  });

  testOfAll('shows the listings, active ones or all, in both field sets', async () => {
    const { left, page } = shown;
    await button(left, 'Businesses').click();
    await seen(left.locator('.card'));
    const active = await left.locator('.card .tag[data-word=active]').count();
    expect([active, await left.locator('.card').count()]).toEqual([10, 10]);
    await left.getByRole('switch', { name: 'Active only' }).click();
    await gone(left.locator('.tag[data-word=active]').nth(9));
    await seen(left.locator('.card').nth(9));
    await button(left, 'More businesses').click();
    await seen(left.locator('.card').nth(19));
    await button(left, 'camelCase').click();
    await gone(left.locator('.card').nth(10));
    await seen(left.locator('.card').nth(9));
    await left.locator('.card summary').first().click();
    await seen(left.locator('.card pre', { hasText: '"publicId"' }));
    expect(await findings(page)).toEqual([]);
  });

  testOfAll(
    'whose network is cut misses what happens, and has it by the feed afterwards',
    async () => {
      await together();
      const { left, right, page } = shown;
      await right.getByRole('switch', { name: 'Network' }).click();
      await seen(right.locator('.status', { hasText: 'Offline' }));
      expect(await findings(page)).toEqual([]);
      await write(left, 'Are you there?');
      await seen(message(left, 'Are you there?').getByText('Sent', { exact: true }));
      await write(right, 'Written without a network');
      await seen(right.locator('.pending', { hasText: 'Sending' }));
      expect(await message(right, 'Are you there?').count()).toBe(0);
      await right.getByRole('switch', { name: 'Network' }).click();
      await seen(right.locator('.repair-note', { hasText: 'Complete again' }));
      await seen(right.locator('.repaired', { hasText: 'message.created' }));
      await seen(right.locator('.repaired', { hasText: '“Are you there?”' }));
      await seen(message(right, 'Are you there?'));
      await seen(message(left, 'Written without a network'));
      expect(await findings(page)).toEqual([]);
      await button(right.locator('.repair-note'), 'Dismiss').click();
    },
  );

  testOfAll('is live again after another stack has taken the place of the former', async () => {
    await together();
    const { left, right } = shown;
    await running.cloud.replaceStack(running.cloud.assembly);
    await write(left, 'Do you hear the new one?');
    await seen(message(right, 'Do you hear the new one?'));
    await seen(right.locator('.status', { hasText: 'Live' }));
  });

  testOfAll('shows each request as curl without the token, to copy', async () => {
    await together();
    const { left, page } = shown;
    await button(page.locator('.requests'), 'Clear the requests').click();
    await write(left, 'It’s for "$HOME"');
    const entry = page.locator('.entry').filter({ hasText: 'POST' });
    await entry.locator('summary').click();
    await seen(entry.getByText('201'));
    await seen(entry.getByText(/\d+ ms/));
    await button(entry, 'Copy as curl').click();
    await seen(entry.getByText('Copied'));
    const copied: string = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toMatch(
      /^curl -g "\$API"\/v1\/messages \\\n {2}-H "Authorization: Bearer \$ANN" \\\n/,
    );
    expect(copied).not.toMatch(/eyJ/);
    expect(await page.locator('.requests').innerText()).not.toMatch(/eyJ/);
    await seen(page.locator('.entry[data-kind=push]', { hasText: 'message.created' }));
    expect(await findings(page)).toEqual([]);
  });

  testOfAll.each([
    ['wide', wide],
    ['with room for two people only, as at twice the size', { ...wide, width: 720, height: 700 }],
    ['narrow', phone],
  ])('keeps long words within bounds, and text in its own direction: %s', async (_, look) => {
    const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk';
    const { page, left } = await open(look, `#left_name=${name}`);
    await seen(row(left, 'Bob'));
    expect(await beyond(page)).toEqual([]);
    await row(left, 'Bob').click();
    await write(left, 'שלום?');
    await seen(message(left, 'שלום?').getByText('Sent', { exact: true }));
    expect(await lastLetterIsLeftmost(message(left, 'שלום?').locator('.text').first())).toBe(true);
    await button(left, 'Attach').first().click();
    await left.locator('.attachment-form').getByLabel('Name').fill('n'.repeat(200));
    await left.locator('.attachment-form').getByLabel('Type').fill('t'.repeat(200));
    await button(left.locator('.attachment-form'), 'Attach').click();
    await write(left, 'Long names');
    await seen(message(left, 'Long names').getByText('Sent', { exact: true }));
    expect(await beyond(page)).toEqual([]);
  });

  testOfAll.each(looks)(
    'is for everybody: axe-core finds nothing in any state, %s',
    async (_, look) => {
      const { page, left, right } = await open(look);
      const isNarrow = look.width < 720;
      await seen(row(left, 'Bob'));
      expect(await findings(page)).toEqual([]);
      await row(left, 'Bob').click();
      await message(left, 'Hi Bob').hover();
      await button(message(left, 'Hi Bob'), 'React').click();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await button(left, 'Attach').first().click();
      expect(await findings(page)).toEqual([]);
      await button(left, 'Delete the conversation').click();
      expect(await findings(page)).toEqual([]);
      await button(page.getByRole('dialog'), 'Keep it').click();
      await left.locator('.who').click();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await button(page, 'Keys').click();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      if (isNarrow) await button(page.locator('.narrow-tabs'), 'Bob').click();
      await button(right, 'Archived').click();
      await seen(right.getByText('No conversation is archived.'));
      await button(right, 'New conversation').click();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      if (isNarrow) await button(page.locator('.narrow-tabs'), 'Requests').click();
      await page.locator('.entry summary').first().click();
      await page.locator('.variables summary').click();
      expect(await findings(page)).toEqual([]);
      const overflow = 'document.documentElement.scrollWidth - innerWidth';
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    },
  );
});
