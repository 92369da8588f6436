import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  closeAll,
  listLines,
  removeMessage,
  showLines,
} from '../../../commands/reports/report-actions.ts';
import { listReports } from '../../../shared/table/reports/query-reports.ts';
import {
  block,
  changeConversation,
  create,
  getConversation,
  list,
  report,
  send,
} from '../../support/handlers/api-calls.ts';
import { ann, bob, person } from '../../support/people/callers.ts';
import { createBusinessRecord, seedBusinesses } from '../../support/seeds/seed-businesses.ts';
import { emptyTable } from '../../support/table/empty-table.ts';
import '../../support/setup/use-table.ts';

const open = { isOpen: true, oldestFirst: true, count: 10 };
const member = person('bob', { groups: ['team'] });
const noQuestion = async () => {};

beforeEach(emptyTable);

async function newestReportId(): Promise<string> {
  const [newest] = await listReports({ ...open, oldestFirst: false });
  return newest?.id ?? '';
}

async function reportMessage(conversationId: string, sender = bob) {
  const message = await send(sender, conversationId, 'Buy\u001b[2J my \u202Ecoins');
  await report(ann, { message_id: message.id, reason: 'scam' });
  return { message, reportId: await newestReportId() };
}

describe('Listing reports', () => {
  test('prints one line per report, then the option that lists the next page', async () => {
    expect(await listLines(open)).toEqual(['No reports.']);
    await report(ann, { contact_id: 'ann', reason: 'other' });
    await seedBusinesses(createBusinessRecord('kiosk'));
    await report(bob, { public_id: 'kiosk', reason: 'spam' });
    const [first, second] = await listReports(open);
    expect(await listLines({ ...open, count: 1 })).toEqual([
      expect.stringMatching(/^report +age +reason +subject +id +reported by$/),
      `${first?.id}  0 h  other   contact  ann  ann`,
      `More reports: add --after ${first?.id}`,
    ]);
    const rest = await listLines({ ...open, count: 1, ...(first && { after: first.id }) });
    expect(rest.slice(1)).toEqual([`${second?.id}  0 h  spam    business  kiosk  bob`]);
  });
});

test('Showing a report prints it as ASCII JSON with its copy of the message', async () => {
  const { id } = await create(ann, { contact_id: 'bob' });
  const { message, reportId } = await reportMessage(id);
  const text = (await showLines(reportId)).join('\n');
  expect(JSON.parse(text)).toMatchObject({
    id: reportId,
    reported_by: 'ann',
    reason: 'scam',
    closed_at: null,
    copy: { id: message.id, message: message.message, contact: { id: 'bob' } },
  });
  expect(text).toMatch(/^[\n\x20-\x7e]*$/);
});

describe('Removing a reported message', () => {
  test('deletes and unpins the message, even if one participant has blocked the other', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { message, reportId } = await reportMessage(id);
    await changeConversation(ann, id, { pinned_message_id: message.id });
    await block(ann, 'bob');
    expect(await removeMessage(reportId, noQuestion)).toEqual([
      `Deleted the message ${message.id}.`,
    ]);
    expect((await list(ann, id)).data).toEqual([]);
    expect(await getConversation(ann, id)).toMatchObject({ pinned_message_id: null });
    expect(await removeMessage(reportId, noQuestion)).toEqual([
      `The message ${message.id} is already deleted.`,
    ]);
  });

  test('deletes a message whose sender participated as a member of a group', async () => {
    const { id } = await create(member, { group_id: 'team', contact_id: 'ann' });
    const { message, reportId } = await reportMessage(id, member);
    expect(await removeMessage(reportId, noQuestion)).toEqual([
      `Deleted the message ${message.id}.`,
    ]);
    expect((await list(ann, id)).data).toEqual([]);
  });

  test('changes nothing if the operator does not confirm', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { reportId } = await reportMessage(id);
    const refuse = async () => {
      throw new Error('no');
    };
    await expect(removeMessage(reportId, refuse)).rejects.toThrow('no');
    expect((await list(ann, id)).data).toHaveLength(1);
  });

  test('rejects a report about a contact, and an unknown report', async () => {
    await report(ann, { contact_id: 'ann', reason: 'other' });
    const id = await newestReportId();
    await expect(removeMessage(id, noQuestion)).rejects.toThrow(`${id} is not about a message`);
    await expect(removeMessage('unknown', noQuestion)).rejects.toThrow(
      'There is no report unknown',
    );
  });
});

test('Closing reports prints one line per report, even if the report is already closed', async () => {
  await report(ann, { contact_id: 'ann', reason: 'other' });
  const id = await newestReportId();
  expect(await closeAll([id, id])).toEqual([
    `Closed the report ${id}.`,
    `The report ${id} is already closed.`,
  ]);
  expect(await listLines(open)).toEqual(['No reports.']);
});
