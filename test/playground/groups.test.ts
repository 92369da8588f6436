import { expect } from '@jest/globals';
import { createClient } from '../../client/src/index.ts';
import { describeInBrowser } from '../support/processes/chromium.ts';
import { quickTest, thoroughTest } from '../support/setup/sample-size.ts';
import {
  findAccessibilityViolations,
  findButton,
  findInboxRow,
  findMessage,
  findOverflowingElements,
  findSmallTargets,
  refusal,
  sendMessage,
  waitUntilHidden,
  waitUntilVisible,
} from './support/playground-page.ts';
import { setUpPlayground } from './support/playground-server.ts';

describeInBrowser('Groups in the playground', () => {
  const playground = setUpPlayground('#left_open=list&right=carol&right_open=list');

  const dialog = () => playground.shown.page.getByRole('dialog').last();

  const createGroup = async (title: string, ...members: string[]) => {
    await findButton(playground.shown.left, 'Groups').click();
    await findButton(playground.shown.left, 'New group').click();
    await dialog().getByLabel('Title').fill(title);
    for (const name of members) await findButton(dialog(), name).click();
    await findButton(dialog(), 'Create').click();
    await waitUntilVisible(playground.shown.left.getByRole('heading', { name: title }));
  };

  const openMembers = async () => {
    await findButton(playground.shown.left, 'Members of the group').click();
    await waitUntilVisible(dialog().locator('.member'));
  };

  quickTest('appear at once for an added member, and disappear for a removed member', async () => {
    const { left, right, page } = playground.shown;
    // After the removal, Carol's page requests the open conversation. The API rejects the request.
    playground.allowErrors(refusal);
    await createGroup('Cinema', 'Bob');
    await sendMessage(left, 'Friday at eight?');
    await openMembers();
    await findButton(dialog(), 'Add Carol').click();
    await waitUntilVisible(findInboxRow(right, 'Cinema').getByText('Friday at eight?'));
    await waitUntilVisible(dialog().locator('.member', { hasText: 'Carol' }));
    await dialog().getByLabel('Title').fill('Theatre');
    await findButton(dialog(), 'Rename').click();
    await waitUntilVisible(findInboxRow(right, 'Theatre'));
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await findButton(dialog(), 'Close').click();

    await findButton(right, 'Groups').click();
    await waitUntilVisible(findInboxRow(right, 'Theatre').getByText('3 members'));
    await findButton(right, 'Chats').click();
    await findInboxRow(right, 'Theatre').click();
    await sendMessage(right, 'Gladly!');
    await waitUntilVisible(findMessage(left, 'Gladly!'));

    await openMembers();
    await findButton(dialog(), 'Remove Carol').click();
    await waitUntilHidden(dialog().locator('.member', { hasText: 'Carol' }));
    await waitUntilVisible(right.getByText('you are no longer a member'));
    await findButton(dialog(), 'Close').click();
    await findButton(right, 'Back to the list').click();
    await waitUntilVisible(findInboxRow(right, 'Ann'));
    expect(await findInboxRow(right, 'Theatre').count()).toBe(0);
    await page.reload();
    await waitUntilVisible(findInboxRow(right, 'Ann'));
    expect(await findInboxRow(right, 'Theatre').count()).toBe(0);
  });

  thoroughTest('let the last owner leave only if another member becomes an owner', async () => {
    const { left } = playground.shown;
    playground.allowErrors(refusal);
    await createGroup('Chess', 'Carol');
    await openMembers();
    const leave = async () => {
      await findButton(dialog(), 'Leave').click();
      await findButton(dialog(), 'Leave it').click();
    };
    await leave();
    await waitUntilVisible(dialog().getByRole('alert').getByText('Make another member an owner'));
    await waitUntilVisible(dialog().getByText('last_owner', { exact: true }));
    await dialog().getByLabel('Role: Carol').selectOption('owner');
    await waitUntilHidden(dialog().getByRole('alert'));
    await leave();
    await waitUntilVisible(dialog().getByText('you are no longer a member'));
    await findButton(dialog(), 'Close').click();
    await waitUntilVisible(left.getByText('you are no longer a member'));
  });

  thoroughTest('show why a contact cannot be added, and can be deleted by the owner', async () => {
    const { left, page } = playground.shown;
    playground.allowErrors(refusal);
    const { url, token } = playground.cloud;
    const dora = createClient({ url, token: () => token('dora') });
    await dora.settings.update({ accept_groups_from: 'contacts' });
    await createGroup('Chess');
    await openMembers();
    await dialog().getByLabel('Contact id').fill('dora');
    await dialog().getByLabel('Contact id').press('Enter');
    await waitUntilVisible(dialog().getByRole('alert').getByText('cannot add this contact'));
    await waitUntilVisible(dialog().getByText('not_addable', { exact: true }));
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await findButton(dialog(), 'Delete').click();
    await findButton(dialog(), 'Delete it').click();
    await waitUntilVisible(dialog().getByText('This group was deleted'));
    await findButton(dialog(), 'Close').click();
    await waitUntilVisible(left.getByText('This conversation was deleted'));
  });

  thoroughTest('fit a small phone, and the member list opens and closes by keyboard', async () => {
    const { left, page } = await playground.open({ width: 360, height: 640, scheme: 'dark' });
    await createGroup('A group with a title that is longer than a small phone is wide', 'Bob');
    await findButton(left, 'Members of the group').focus();
    await page.keyboard.press('Enter');
    await waitUntilVisible(dialog().locator('.member', { hasText: 'Bob' }));
    expect(await findOverflowingElements(page)).toEqual([]);
    expect(await findSmallTargets(page)).toEqual([]);
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await waitUntilHidden(page.getByRole('dialog'));
    expect(
      await findButton(left, 'Members of the group').evaluate((one) => one.matches(':focus')),
    ).toBe(true);
  });
});
