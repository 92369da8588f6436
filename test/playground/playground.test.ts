import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser } from '../support/processes/chromium.ts';
import { waitUntil } from '../support/processes/wait-until.ts';
import { quickTest, thoroughTest } from '../support/setup/sample-size.ts';
import {
  type Appearance,
  bothLists,
  findAccessibilityViolations,
  findButton,
  findInboxRow,
  findMessage,
  findOverflowingElements,
  findSmallTargets,
  isLastLetterLeftmost,
  isWithinList,
  phone,
  refusal,
  sendMessage,
  waitUntilHidden,
  waitUntilVisible,
  wide,
} from './support/playground-page.ts';
import { setUpPlayground } from './support/playground-server.ts';

const tablet: Appearance = { width: 820, height: 1180, scheme: 'light' };
const appearances: readonly (readonly [string, Appearance])[] = [
  ['wide and light', wide],
  ['wide and dark', { ...wide, scheme: 'dark' }],
  ['tablet and light', tablet],
  ['tablet and dark', { ...tablet, scheme: 'dark' }],
  ['narrow and light', phone],
  ['narrow and dark', { ...phone, scheme: 'dark' }],
];

/**
 * Simulates a busy browser, which may report several changes at once, by prepending the opposite
 * visibility to each IntersectionObserver report.
 */
const reportEarlierVisibility = `
  const Observer = window.IntersectionObserver;
  window.IntersectionObserver = class extends Observer {
    constructor(callback) {
      super((entries) => callback([{ isIntersecting: !entries.at(-1).isIntersecting }, ...entries]));
    }
  };`;

const findStep = (page: Page, title: string) => page.locator('.tour-step', { hasText: title });

describeInBrowser('The playground in a browser', () => {
  const playground = setUpPlayground();

  /** Opens the conversation between Ann and Bob on both sides. */
  const together = async () => {
    const { left, right } = playground.shown;
    await findInboxRow(left, 'Bob').click();
    await findInboxRow(right, 'Ann').click();
    await Promise.all([left, right].map((one) => waitUntilVisible(one.locator('.message'))));
  };

  quickTest(
    'opens a conversation on both sides and shows three steps, which stay hidden after the user dismisses them',
    async () => {
      const { left, right, page } = await playground.open(wide, '');
      await Promise.all([left, right].map((one) => waitUntilVisible(findMessage(one, 'Gladly'))));
      await findStep(page, 'Cut the network and write').click();
      await waitUntilVisible(left.locator('.status', { hasText: 'Offline' }));
      await sendMessage(left, 'Written in step one');
      await waitUntilVisible(left.locator('.pending', { hasText: 'Written in step one' }));
      await findStep(page, 'Restore Ann’s network').click();
      await waitUntilVisible(findMessage(right, 'Written in step one'));

      await findStep(page, 'Send from both at once').click();
      for (const side of [left, right]) {
        for (const name of ['Ann', 'Bob']) await waitUntilVisible(findMessage(side, `${name}, at`));
      }
      await waitUntil(async () => (await page.locator('.message.pending').count()) === 0);
      const readTexts = (side: Locator) => side.locator('.message .text').allInnerTexts();
      expect(await readTexts(left)).toEqual(await readTexts(right));

      await findStep(page, 'Reload while sending').click();
      for (const side of [left, right]) {
        await waitUntilVisible(findMessage(side, 'Sent during a reload'));
        await waitUntil(async () => (await findMessage(side, 'during a reload').count()) === 1);
      }
      await findButton(page, 'Hide the steps').click();
      await page.reload();
      await waitUntilVisible(findMessage(left, 'Sent during a reload'));
      expect(await page.locator('.tour').count()).toBe(0);
    },
  );

  thoroughTest(
    'starts with twelve conversations: one pinned, one muted, one archived, one long',
    async () => {
      const { left } = playground.shown;
      await waitUntilVisible(left.locator('.row').nth(10));
      expect(await left.locator('.row').count()).toBe(11);
      for (const filter of ['Pinned', 'Muted', 'Archived']) {
        await findButton(left, filter).click();
        await waitUntilHidden(left.locator('.row').nth(1));
        await waitUntilVisible(left.locator('.row').first());
      }
      await findButton(left, 'Inbox').click();
      await waitUntilVisible(findInboxRow(left, 'Emma').getByText('Page 104'));
      await findInboxRow(left, 'friends').click();
      const image = left.locator('.attachment-image');
      await waitUntil(() => image.evaluate((one) => Number(Object(one).naturalWidth) > 0));
      expect(await image.locator('..').getAttribute('href')).toBe(
        'https://photos.example.com/summit.jpg',
      );
    },
  );

  quickTest('shows a sent message to the recipient, and its read mark to the sender', async () => {
    const { left, right, page } = playground.shown;
    await findInboxRow(left, 'Bob').click();
    await sendMessage(left, 'Shall we take the train?');
    await waitUntilVisible(
      findMessage(left, 'Shall we take the train?').getByText('Sent', { exact: true }),
    );
    await waitUntilVisible(findInboxRow(right, 'Ann').getByText('Shall we take the train?'));
    await waitUntilVisible(findInboxRow(right, 'Ann').locator('.badge'));
    await findInboxRow(right, 'Ann').click();
    await waitUntilVisible(findMessage(right, 'Shall we take the train?'));
    await waitUntilVisible(
      findMessage(left, 'Shall we take the train?').getByText('Read', { exact: true }),
    );
    await sendMessage(right, 'At seven!');
    await waitUntilVisible(findMessage(left, 'At seven!'));
    expect(await findAccessibilityViolations(page)).toEqual([]);
  });

  quickTest(
    'scrolls to new messages only near the end of the list, and otherwise counts them as unread',
    async () => {
      await together();
      const { left, right, page } = playground.shown;
      const long = (name: string) => `${name}\n${'a line of text\n'.repeat(40)}`;
      await sendMessage(left, long('first'));
      await waitUntilVisible(findMessage(left, 'first').getByText('Read', { exact: true }));
      const scroller = right.locator('.messages');
      const position = () => scroller.evaluate(({ scrollTop }) => scrollTop);

      await scroller.evaluate((box) => box.scrollTo({ top: -40 }));
      await sendMessage(left, 'second');
      await waitUntilVisible(findMessage(left, 'second').getByText('Read', { exact: true }));
      await waitUntil(async () => (await position()) === 0);

      await scroller.evaluate((box) => box.scrollTo({ top: -300 }));
      await waitUntilVisible(findButton(right, 'Go to the newest message'));
      await sendMessage(left, 'third');
      await waitUntilVisible(findButton(right, '1 new message'));
      await sendMessage(left, 'fourth');
      await findButton(right, '2 new messages').waitFor();
      // The wait exceeds the delay after which visible messages count as read.
      await page.waitForTimeout(2000);
      for (const text of ['third', 'fourth']) {
        await waitUntilVisible(findMessage(left, text).getByText('Sent', { exact: true }));
      }
      await findButton(right, '2 new messages').click();
      await waitUntilVisible(findMessage(left, 'fourth').getByText('Read', { exact: true }));
      expect(await position()).toBe(0);
    },
  );

  thoroughTest(
    'marks a message as read if the browser reports several visibility changes at once',
    async () => {
      const { left, page } = playground.shown;
      await page.addInitScript(reportEarlierVisibility);
      await page.reload();
      await together();
      await sendMessage(left, 'Seen at once');
      await waitUntilVisible(findMessage(left, 'Seen at once').getByText('Read', { exact: true }));
    },
  );

  thoroughTest('lets the user edit, react to, pin and delete messages by clicking', async () => {
    await together();
    const { left, right, page } = playground.shown;
    await sendMessage(left, 'I have one seat');
    const ownMessage = findMessage(left, 'I have');
    // The reply to the edit arrives late and must not move the focus from the right side.
    let releaseEdit = () => {};
    const editReleased = new Promise<void>((resolve) => {
      releaseEdit = resolve;
    });
    await page.route('**/v1/messages/*', async (route) => {
      if (!route.request().postData()?.includes('two seats')) return route.fallback();
      const response = await route.fetch();
      await editReleased;
      await route.fulfill({ response });
    });
    await ownMessage.hover();
    await findButton(ownMessage, 'Edit').click();
    await sendMessage(left, 'I have two seats');
    await waitUntilVisible(findMessage(right, 'I have two seats').getByText('edited'));

    const receivedMessage = findMessage(right, 'I have two seats');
    await receivedMessage.hover();
    await findButton(receivedMessage, 'React').click();
    releaseEdit();
    await waitUntilHidden(left.getByText('Editing a message'));
    await findButton(receivedMessage, 'party').click();
    await waitUntilVisible(ownMessage.locator('.reaction', { hasText: '🎉 1' }));
    await ownMessage.locator('.reaction').click();
    await waitUntilVisible(receivedMessage.locator('.reaction', { hasText: '🎉 2' }));
    await receivedMessage.locator('.reaction').click();
    await waitUntilVisible(ownMessage.locator('.reaction', { hasText: '🎉 1' }));

    await receivedMessage.hover();
    await findButton(receivedMessage, 'Pin the message').click();
    await waitUntilVisible(left.locator('.pinned-bar', { hasText: 'I have two seats' }));
    await findButton(left, 'Unpin the message').first().click();
    await waitUntilHidden(right.locator('.pinned-bar'));

    await ownMessage.hover();
    await findButton(ownMessage, 'Delete the message').click();
    await findButton(page.getByRole('dialog'), 'Delete').click();
    await waitUntilHidden(receivedMessage);
    await waitUntilHidden(ownMessage);
  });

  thoroughTest('lets the user edit, react to, pin and delete messages by keyboard', async () => {
    const { left, right, page } = playground.shown;
    await findInboxRow(left, 'Bob').focus();
    await page.keyboard.press('Enter');
    await findInboxRow(right, 'Ann').focus();
    await page.keyboard.press('Enter');
    await waitUntilVisible(findMessage(right, 'Gladly'));
    await left.getByRole('textbox', { name: 'Message' }).focus();
    await page.keyboard.type('By keys');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('alone');
    await page.keyboard.press('Enter');
    await waitUntilVisible(findMessage(right, 'By keys\nalone'));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    await page.keyboard.type(', really');
    await page.keyboard.press('Enter');
    await waitUntilVisible(findMessage(right, 'really').getByText('edited'));

    // Focuses the message, as Shift+Tab would.
    const ownMessage = findMessage(left, 'really');
    await ownMessage.focus();
    await page.keyboard.press('r');
    await waitUntilVisible(ownMessage.locator('.emoji:focus'));
    await page.keyboard.press('Enter');
    await waitUntilVisible(findMessage(right, 'really').locator('.reaction', { hasText: '👍 1' }));
    await ownMessage.focus();
    await page.keyboard.press('p');
    await waitUntilVisible(right.locator('.pinned-bar', { hasText: 'really' }));
    await ownMessage.focus();
    await page.keyboard.press('ArrowUp');
    expect(await ownMessage.evaluate((element) => element.matches(':focus'))).toBe(false);
    await page.keyboard.press('End');
    expect(await ownMessage.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.keyboard.press('Delete');
    await waitUntilVisible(page.getByRole('dialog'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await waitUntilHidden(findMessage(right, 'really'));
    await left.getByRole('textbox', { name: 'Message' }).focus();
    await page.keyboard.press('Escape');
    await waitUntilVisible(findInboxRow(left, 'Bob'));
  });

  thoroughTest(
    'sends a link as an attachment, and shows the API’s error if the address is invalid',
    async () => {
      await together();
      const { left, right, page } = playground.shown;
      const attach = async (address: string) => {
        await findButton(left, 'Attach a link').click();
        const form = left.locator('.attachment-form');
        await form.getByLabel('Name').fill('tickets.pdf');
        await form.getByLabel('Address').fill(address);
        await form.getByLabel('Type').fill('application/pdf');
        await form.getByLabel('Bytes').fill('148213');
        await findButton(form, 'Attach').click();
      };
      await attach('https://files.example.com/tickets.pdf');
      await sendMessage(left, 'Here they are');
      const link = findMessage(right, 'Here they are').getByRole('link');
      await waitUntilVisible(link);
      expect(await link.getAttribute('href')).toBe('https://files.example.com/tickets.pdf');
      expect(await link.innerText()).toBe('tickets.pdf\napplication/pdf · 148 kB');

      playground.allowErrors(refusal);
      await attach('http://files.example.com/tickets.pdf');
      await sendMessage(left, 'And again');
      const alert = left.getByRole('alert');
      await waitUntilVisible(alert.getByText('parameter_invalid'));
      await waitUntilVisible(alert.getByText('attachments[0].url', { exact: true }));
      const help = alert.getByRole('link', { name: 'How to fix it' });
      expect(await help.getAttribute('href')).toMatch(/parameter_invalid/);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await findButton(alert, 'Dismiss').click();
      expect(await left.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('And again');
    },
  );

  quickTest('sends a message written offline exactly once, even after a reload', async () => {
    await together();
    const { left, right, page } = playground.shown;
    await left.getByRole('switch', { name: 'Network' }).click();
    await sendMessage(left, 'Written offline: see https://example.com/menu.');
    await waitUntilVisible(left.locator('.pending', { hasText: 'Sending' }));
    await page.reload();
    for (const side of [left, right]) {
      const sent = findMessage(side, 'Written offline');
      await waitUntilVisible(sent);
      await waitUntil(async () => (await sent.count()) === 1);
      const link = sent.getByRole('link', { name: 'https://example.com/menu' });
      expect(await link.getAttribute('href')).toBe('https://example.com/menu');
    }
    await waitUntilVisible(findMessage(left, 'Written offline').getByText('Read', { exact: true }));
    expect(await left.locator('.pending').count()).toBe(0);
  });

  thoroughTest('pins, mutes, archives and deletes a conversation in all lists', async () => {
    const { left, right, page } = playground.shown;
    await findButton(left, 'New conversation').click();
    await findButton(page.getByRole('dialog'), 'bob').click();
    await page.getByRole('dialog').getByRole('checkbox').uncheck();
    await findButton(page.getByRole('dialog'), 'Start').click();
    await sendMessage(left, 'A second one');
    await waitUntilVisible(findInboxRow(right, 'Ann').getByText('A second one'));
    await findButton(left, 'Pin the conversation').click();
    await findButton(left, 'Mute the conversation').click();
    await waitUntilVisible(left.locator('.chat-actions [aria-pressed=true]').nth(1));
    await findButton(left, 'Back to the list').click();
    const one = findInboxRow(left, 'Bob').filter({ hasText: 'A second one' });
    await waitUntilVisible(one.getByTitle('Pinned'));
    await waitUntilVisible(one.getByTitle('Muted'));
    for (const filter of ['Pinned', 'Muted']) {
      await findButton(left, filter).click();
      await waitUntilVisible(one);
      // The second row is from the demo data.
      expect(await left.locator('.row').count()).toBe(2);
    }
    await one.click();
    await findButton(left, 'Archive the conversation').click();
    await waitUntilVisible(left.locator('.chat-actions [aria-pressed=true]').nth(2));
    await findButton(left, 'Back to the list').click();
    await findButton(left, 'Inbox').click();
    await waitUntilVisible(findInboxRow(left, 'Bob'));
    await waitUntilHidden(one);
    await findButton(left, 'Archived').click();
    await one.click();
    await findButton(left, 'Delete the conversation').click();
    // After the user archives the conversation, both lists retrieve it. The conversation may
    // already be deleted.
    playground.allowErrors(/ status of 404 .*\/v1\/conversations\//);
    await findButton(page.getByRole('dialog'), 'Delete for all').click();
    await waitUntilHidden(one);
    await waitUntilVisible(findInboxRow(left, 'Lena'));
    await waitUntilHidden(findInboxRow(right, 'Ann').filter({ hasText: 'A second one' }));
  });

  quickTest(
    'blocks a contact, whose messages fail until the user unblocks the contact',
    async () => {
      await together();
      const { left, right, page } = playground.shown;
      await findButton(left, 'Block the contact').click();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await findButton(page.getByRole('dialog'), 'Block').click();
      await waitUntilVisible(left.getByText('You have blocked this contact.'));
      expect(await findAccessibilityViolations(page)).toEqual([]);
      playground.allowErrors(/ status of 403 .*\/v1\/messages/);
      await sendMessage(right, 'Why no answer?');
      await waitUntilVisible(right.locator('.pending', { hasText: 'Not sent' }));
      await waitUntilVisible(right.locator('.error-note', { hasText: 'blocked' }));
      expect(await findMessage(left, 'Why no answer?').count()).toBe(0);
      await findButton(left, 'Unblock').click();
      await waitUntilVisible(left.getByRole('textbox', { name: 'Message' }));
      await findButton(right.locator('.error-note'), 'Try again').click();
      await waitUntilVisible(findMessage(left, 'Why no answer?'));
    },
  );

  quickTest(
    'replies with a quote, highlights a mention, shows “Seen”, and marks messages as unread',
    async () => {
      const { left, right, page } = playground.shown;
      await findInboxRow(left, 'Bob').click();
      await sendMessage(left, 'A question for @bob, not bob@example.com');
      await waitUntilVisible(findInboxRow(right, 'Ann').getByText('You were mentioned'));
      await findInboxRow(right, 'Ann').click();
      const question = findMessage(right, 'A question for').last();
      await waitUntilVisible(question.locator('strong', { hasText: '@bob' }));
      expect(await question.locator('strong').count()).toBe(1);
      await waitUntilVisible(left.getByText('Seen', { exact: true }));

      await question.focus();
      await page.keyboard.press('q');
      await waitUntilVisible(right.getByText('Reply to Ann: A question for'));
      await sendMessage(right, 'An answer');
      for (const side of [left, right]) {
        const replyMessage = findMessage(side, 'An answer');
        await waitUntilVisible(replyMessage.locator('.quote', { hasText: 'Ann: A question for' }));
      }
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await findMessage(left, 'An answer').locator('.quote').click();
      const focused = left.locator('.message:focus');
      expect(await focused.innerText()).toContain('A question for');

      const replyMessage = findMessage(left, 'An answer');
      await replyMessage.hover();
      await findButton(replyMessage, 'Mark as unread').click();
      await waitUntilVisible(findInboxRow(left, 'Bob').locator('.badge', { hasText: '1' }));
      await findInboxRow(left, 'Bob').click();
      const deleted = findMessage(left, 'A question for').first();
      await deleted.hover();
      await findButton(deleted, 'Delete the message').click();
      await findButton(page.getByRole('dialog'), 'Delete').click();
      await waitUntilVisible(findMessage(right, 'An answer').getByText('Deleted message'));
    },
  );

  thoroughTest('reports another user’s message', async () => {
    await together();
    const { left, page } = playground.shown;
    const message = findMessage(left, 'Gladly').first();
    await message.hover();
    await findButton(message, 'Report').click();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').selectOption('Scam');
    await findButton(dialog, 'Report').click();
    await waitUntilVisible(dialog.getByText('Reported.'));
    await findButton(dialog, 'Block the sender').click();
    await waitUntilVisible(left.getByText('You have blocked this contact.'));
    await findButton(left, 'Unblock').click();
  });

  thoroughTest('shows the sender of each message in a group conversation', async () => {
    const { left, right, page } = playground.shown;
    await findButton(right, 'New conversation').click();
    await findButton(page.getByRole('dialog'), 'team').click();
    await findButton(page.getByRole('dialog'), 'Start').click();
    await sendMessage(right, 'To all of the team');
    await findInboxRow(left, 'team').filter({ hasText: 'To all of the team' }).click();
    await waitUntilVisible(left.locator('.sender', { hasText: 'Bob' }));
    await waitUntilVisible(
      findMessage(right, 'To all of the team').getByText('Read', { exact: true }),
    );
  });

  thoroughTest(
    'lets a staff member take a conversation that a customer has started with a business',
    async () => {
      const { left, page } = await playground.open(wide, `${bothLists}&right=kim`);
      const { right } = playground.shown;
      await findButton(left, 'Businesses').click();
      const card = left.locator('.card').filter({ hasText: 'Café Aurora' }).first();
      await findButton(card, 'Write a message to Café Aurora').click();
      await sendMessage(left, 'Is the terrace open?');
      await findInboxRow(right, 'Café Aurora and Ann').click();
      await waitUntilVisible(findMessage(right, 'Is the terrace open?'));
      await findButton(right, 'Take the conversation').click();
      await waitUntilVisible(right.getByText('Staff of Café Aurora · assigned to kim'));
      await sendMessage(right, 'It is!');
      await waitUntilVisible(findMessage(left, 'It is!'));
      await waitUntilVisible(left.getByText('Staff of Café Aurora', { exact: true }));
      expect(await findButton(left, 'Take the conversation').count()).toBe(0);
      await findButton(right, 'Take the conversation').click();
      await waitUntilVisible(right.getByText('Staff of Café Aurora', { exact: true }));
      expect(await findAccessibilityViolations(page)).toEqual([]);
    },
  );

  thoroughTest(
    'lets the user choose any contact id and groups, and keeps them after a reload',
    async () => {
      const { left, page } = playground.shown;
      await left.locator('.who').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Contact id').fill('dora@home');
      await dialog.getByLabel('Name').fill('Dora');
      await dialog.getByLabel('Groups').fill('team, chess');
      await findButton(dialog, 'Continue as Dora').click();
      await waitUntilVisible(left.getByText('dora@home · team · chess'));
      await findInboxRow(left, 'team').filter({ hasText: 'Well done' }).click();
      await waitUntilVisible(findMessage(left, 'The release is out.'));
      await page.reload();
      await waitUntilVisible(left.getByText('dora@home · team · chess'));
      await waitUntilVisible(findMessage(left, 'The release is out.'));
      await findButton(left, 'Back to the list').click();
      await findButton(left, 'New conversation').click();
      await page.getByRole('dialog').getByLabel('Group id').fill('secret');
      playground.allowErrors(refusal);
      await findButton(page.getByRole('dialog'), 'Start').click();
      await waitUntilVisible(left.getByRole('alert').getByText('not_allowed'));
      expect(await findAccessibilityViolations(page)).toEqual([]);
    },
  );

  thoroughTest('loads older messages up to the beginning of a long conversation', async () => {
    const { cloud } = playground;
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
    const { left } = await playground.open(wide, `${bothLists}&left=finn&right=eve`);
    await waitUntilVisible(findInboxRow(left, 'eve').locator('.badge', { hasText: '75' }));
    await findInboxRow(left, 'eve').click();
    await waitUntilVisible(findMessage(left, 'No. 75;'));
    expect(await findMessage(left, 'No. 1;').count()).toBe(0);
    const list = left.locator('.messages');
    await waitUntil(async () => {
      await list.hover();
      await playground.shown.page.mouse.wheel(0, -4000);
      return (await findMessage(left, 'No. 1;').count()) === 1;
    });
    expect(await left.locator('.message').count()).toBe(75);
    await findButton(left, 'Go to the newest message').click();
    await waitUntilVisible(findMessage(left, 'No. 75;'));
  });

  thoroughTest('shows active or all listings, with snake_case or camelCase fields', async () => {
    const { left, page } = playground.shown;
    await findButton(left, 'Businesses').click();
    await waitUntilVisible(left.locator('.card'));
    const active = await left.locator('.card .tag[data-word=active]').count();
    expect([active, await left.locator('.card').count()]).toEqual([10, 10]);
    await left.getByRole('switch', { name: 'Active only', checked: true }).click();
    await waitUntilVisible(left.getByRole('switch', { name: 'Active only', checked: false }));
    await findButton(left, 'More businesses').click();
    await waitUntilVisible(left.locator('.card').nth(19));
    expect(await left.locator('.card .tag[data-word=closed]').count()).toBeGreaterThan(0);
    await findButton(left, 'camelCase').click();
    await waitUntilHidden(left.locator('.card').nth(10));
    await waitUntilVisible(left.locator('.card').nth(9));
    await left.locator('.card summary').first().click();
    await waitUntilVisible(left.locator('.card pre', { hasText: '"publicId"' }));
    expect(await findAccessibilityViolations(page)).toEqual([]);
  });

  thoroughTest(
    'shows missed events from the feed after an outage, and sends the messages written offline',
    async () => {
      await together();
      const { left, right, page } = playground.shown;
      await right.getByRole('switch', { name: 'Network' }).click();
      await waitUntilVisible(right.locator('.status', { hasText: 'Offline' }));
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await sendMessage(left, 'Are you there?');
      await waitUntilVisible(
        findMessage(left, 'Are you there?').getByText('Sent', { exact: true }),
      );
      await sendMessage(right, 'Written without a network');
      await waitUntilVisible(right.locator('.pending', { hasText: 'Sending' }));
      expect(await findMessage(right, 'Are you there?').count()).toBe(0);
      await right.getByRole('switch', { name: 'Network' }).click();
      await waitUntilVisible(right.locator('.repair-note', { hasText: 'Up to date' }));
      await waitUntilVisible(right.locator('.repaired', { hasText: 'message.created' }));
      await waitUntilVisible(right.locator('.repaired', { hasText: '“Are you there?”' }));
      await waitUntilVisible(findMessage(right, 'Are you there?'));
      await waitUntilVisible(findMessage(left, 'Written without a network'));
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await findButton(right.locator('.repair-note'), 'Dismiss').click();
    },
  );

  thoroughTest('reconnects after the stack is replaced', async () => {
    await together();
    const { left, right } = playground.shown;
    await playground.cloud.replaceStack(playground.cloud.assembly);
    await sendMessage(left, 'Do you hear the new one?');
    await waitUntilVisible(findMessage(right, 'Do you hear the new one?'));
    await waitUntilVisible(right.locator('.status', { hasText: 'Live' }));
  });

  thoroughTest('shows each request as a curl command without the token', async () => {
    await together();
    const { left, page } = playground.shown;
    await findButton(page.locator('.requests'), 'Clear the requests').click();
    await sendMessage(left, 'It’s for "$HOME"');
    const action = page.locator('.action', { hasText: 'Ann sends a message' });
    await waitUntilVisible(action.getByText('1 request; Ann receives'));
    await action.locator('summary').first().click();
    const entry = action.locator('.entry').filter({ hasText: 'POST' });
    await entry.locator('summary').click();
    await waitUntilVisible(entry.getByText('201'));
    await waitUntilVisible(entry.getByText(/\d+ ms/));
    await findButton(entry, 'Copy as curl').click();
    await waitUntilVisible(entry.getByText('Copied'));
    const copied: string = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toMatch(
      /^curl -g "\$API"\/v1\/messages \\\n {2}-H "Authorization: Bearer \$ANN" \\\n/,
    );
    expect(copied).not.toMatch(/eyJ/);
    expect(await page.locator('.requests').innerText()).not.toMatch(/eyJ/);
    await waitUntilVisible(page.locator('.entry[data-kind=push]', { hasText: 'message.created' }));
    expect(await findAccessibilityViolations(page)).toEqual([]);
  });

  thoroughTest.each([
    ['wide', wide],
    ['at twice the text size', { ...wide, width: 720, height: 700 }],
    ['narrow', phone],
  ])('shows long words without overflow, and Hebrew right to left: %s', async (_, appearance) => {
    const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk';
    const { page, left } = await playground.open(appearance, `${bothLists}&left_name=${name}`);
    await waitUntilVisible(findInboxRow(left, 'Bob'));
    expect(await findOverflowingElements(page)).toEqual([]);
    await findInboxRow(left, 'Bob').click();
    await sendMessage(left, 'שלום?');
    await waitUntilVisible(findMessage(left, 'שלום?').getByText('Sent', { exact: true }));
    expect(await isLastLetterLeftmost(findMessage(left, 'שלום?').locator('.text').first())).toBe(
      true,
    );
    await findButton(left, 'Attach a link').click();
    await left.locator('.attachment-form').getByLabel('Name').fill('n'.repeat(200));
    await left.locator('.attachment-form').getByLabel('Type').fill('t'.repeat(200));
    await findButton(left.locator('.attachment-form'), 'Attach').click();
    await sendMessage(left, 'Long names');
    await waitUntilVisible(findMessage(left, 'Long names').getByText('Sent', { exact: true }));
    expect(await findOverflowingElements(page)).toEqual([]);
  });

  thoroughTest.each(appearances)(
    'has no accessibility violations in any state: %s',
    async (_, appearance) => {
      const { page, left, right } = await playground.open(appearance);
      const isNarrow = appearance.width < 720;
      const expectLargeTargets = async () => {
        if (isNarrow) expect(await findSmallTargets(page)).toEqual([]);
      };
      await waitUntilVisible(findInboxRow(left, 'Bob'));
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await expectLargeTargets();
      await findInboxRow(left, 'Bob').click();
      await findMessage(left, 'Hi Bob').focus();
      await findButton(findMessage(left, 'Hi Bob'), 'React').click();
      expect(await isWithinList(left.locator('.picker'))).toBe(true);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await expectLargeTargets();
      await page.keyboard.press('Escape');
      await findMessage(left, 'Gladly').focus();
      await findButton(findMessage(left, 'Gladly'), 'React').click();
      await waitUntilVisible(left.locator('.picker[data-opens=up]'));
      expect(await isWithinList(left.locator('.picker'))).toBe(true);
      await page.keyboard.press('Escape');
      await findButton(left, 'Attach a link').click();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await findButton(left, 'Delete the conversation').click();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await expectLargeTargets();
      await findButton(page.getByRole('dialog'), 'Cancel').click();
      await left.locator('.who').click();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      if (!isNarrow) {
        await findButton(page, 'Keyboard shortcuts').click();
        expect(await findAccessibilityViolations(page)).toEqual([]);
        await page.keyboard.press('Escape');
      }
      if (isNarrow) await findButton(page.locator('.narrow-tabs'), 'Bob').click();
      await findButton(right, 'Archived').click();
      await waitUntilVisible(right.getByText('No conversation is archived.'));
      await findButton(right, 'New conversation').click();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      if (isNarrow) await findButton(page.locator('.narrow-tabs'), 'Requests').click();
      else if (appearance.width < 1200) await findButton(page, 'Requests').click();
      await page.locator('.action > details > summary').first().click();
      await page.locator('.entry summary').first().click();
      await page.locator('.variables summary').click();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await expectLargeTargets();
      const overflow = 'document.documentElement.scrollWidth - innerWidth';
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    },
  );
});
