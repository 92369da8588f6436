import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { createReport } from '../../../shared/contract/operations.ts';
import { reportReasons } from '../../../shared/contract/resources/report.ts';
import { reportSeconds } from '../../../shared/retention.ts';
import { getItem } from '../../../shared/table/calls/access.ts';
import { reportKey } from '../../../shared/table/keys/keys.ts';
import { create, edit, removeMessage, report, send } from '../../support/handlers/api-calls.ts';
import { commonHeaders } from '../../support/handlers/common-headers.ts';
import { ok, refused, request } from '../../support/handlers/invoke-handler.ts';
import { ann, bob, eve, person } from '../../support/people/callers.ts';
import { createBusinessRecord, seedBusinesses } from '../../support/seeds/seed-businesses.ts';
import { emptyTable } from '../../support/table/empty-table.ts';
import '../../support/setup/use-table.ts';

const attachments = [{ name: 'a.png', url: 'https://files.example.com/a.png', tags: ['x'] }];

async function bobsMessage(sender = bob) {
  const { id } = await create(ann, { contact_id: sender.id });
  return send(sender, id, 'Buy my coins', { attachments });
}

/** Returns the copy of the subject in a report, and the report's expiry in Unix seconds. */
async function readStored(reporter: string, kind: string, id: string) {
  const item = await getItem(reportKey(reporter, kind, id));
  return {
    copy: typeof item?.copy === 'string' ? JSON.parse(item.copy) : item?.copy,
    expiresAt: item?.expires_at,
  };
}

let now = 0;
beforeEach(async () => {
  await emptyTable();
  now = Date.UTC(2026, 5, 1);
  jest.spyOn(clock, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('Reporting', () => {
  test('a message returns 201 with the report, and stores a copy for 90 days', async () => {
    // A new sender's profile is not cached yet, so the send stores it in the emptied table.
    const sender = person('new-sender');
    const message = await bobsMessage(sender);
    const body = { message_id: message.id, reason: 'scam', note: 'Twice today' };
    const { status, headers, body: reply } = await request(createReport, { as: ann, body });
    expect({ status, headers, reply }).toEqual({
      status: 201,
      headers: commonHeaders,
      reply: { ...body, contact_id: null, public_id: null, created_at: now / 1000 },
    });
    expect(await readStored('ann', 'message_id', message.id)).toEqual({
      copy: {
        id: message.id,
        conversation_id: message.conversation_id,
        group_id: null,
        contact: { id: sender.id, username: sender.username, avatar_url: sender.avatar_url },
        message: 'Buy my coins',
        attachments,
        created_at: message.created_at,
        updated_at: null,
      },
      expiresAt: now / 1000 + reportSeconds,
    });
  });

  test('stores a copy that does not change when the message is edited or deleted', async () => {
    const message = await bobsMessage();
    await report(ann, { message_id: message.id, reason: 'scam' });
    const stored = await readStored('ann', 'message_id', message.id);
    await edit(bob, message.id, { message: 'Hello' });
    await removeMessage(bob, message.id);
    expect(await readStored('ann', 'message_id', message.id)).toEqual(stored);
  });

  test('a business stores a copy of its listing', async () => {
    const record = createBusinessRecord('kiosk', { title: 'Kiosk' });
    await seedBusinesses(record);
    await report(ann, { public_id: 'kiosk', reason: 'other' });
    expect(await readStored('ann', 'public_id', 'kiosk')).toMatchObject({ copy: record });
  });

  test('a contact stores a copy of their name and picture, which later changes do not affect', async () => {
    const before = person('renamed', { username: 'Rude', avatar_url: 'https://a.example/rude' });
    await bobsMessage(before);
    await report(ann, { contact_id: before.id, reason: 'harassment' });
    now += 120_000;
    await bobsMessage({ ...before, username: 'Kind', avatar_url: null });
    expect((await readStored('ann', 'contact_id', before.id)).copy).toEqual({
      id: before.id,
      username: 'Rude',
      avatar_url: 'https://a.example/rude',
    });
  });

  test.each(reportReasons)('with the reason %s succeeds', async (reason) => {
    expect(await report(ann, { contact_id: 'ann', reason })).toMatchObject({ reason, note: null });
  });

  test('the same subject again returns the first report with 200, even if the message was deleted', async () => {
    const { id: message_id } = await bobsMessage();
    const first = await report(ann, { message_id, reason: 'spam', note: 'first' });
    await removeMessage(bob, message_id);
    now += 60_000;
    const again = { as: ann, body: { message_id, reason: 'hate' } };
    expect(await request(createReport, again)).toMatchObject({ status: 200, body: first });
  });

  test('the same subject concurrently stores one report', async () => {
    const { id: message_id } = await bobsMessage();
    const calls = ['one', 'two', 'three'].map((note) =>
      request(createReport, { as: ann, body: { message_id, reason: 'spam', note } }),
    );
    const replies = await Promise.all(calls);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test('a message that another user has reported creates a second report', async () => {
    const { id: message_id } = await bobsMessage();
    for (const as of [ann, bob]) {
      const call = { as, body: { message_id, reason: 'spam' } };
      expect(await request(createReport, call)).toMatchObject({ status: 201 });
    }
  });

  test('the same subject again after 90 days creates a new report, even before DynamoDB deletes the first report', async () => {
    const { id: message_id } = await bobsMessage();
    const call = { as: ann, body: { message_id, reason: 'spam' } };
    await ok(createReport, call);
    now += reportSeconds * 1000;
    expect(await request(createReport, call)).toMatchObject({
      status: 201,
      body: { created_at: now / 1000 },
    });
  });

  test.each([
    ['a first report', 201],
    ['an existing report', 200],
  ])('with the same Idempotency-Key replays the response of %s', async (_, status) => {
    const { id: message_id } = await bobsMessage();
    if (status === 200) await report(ann, { message_id, reason: 'hate', note: 'first' });
    now += 60_000;
    const headers = { 'Idempotency-Key': 'k' };
    const call = { as: ann, headers, body: { message_id, reason: 'spam', note: 'later' } };
    const first = await request(createReport, call);
    now += 60_000;
    const replayed = await request(createReport, call);
    expect(first.status).toBe(status);
    expect(replayed).toMatchObject({
      status,
      headers: { 'Idempotent-Replayed': 'true' },
      body: first.body,
    });
  });
});

describe('Reporting returns 404', () => {
  test.each([
    ['message_id', '0'.repeat(44)],
    ['message_id', 'no id'],
    ['message_id', 'x'.repeat(2000)],
    ['contact_id', 'never-seen'],
    ['public_id', 'never-seen'],
  ])('for an unknown %s, %j', async (param, id) => {
    const call = { as: ann, body: { [param]: id, reason: 'spam' } };
    const error = { status: 404, code: 'not_found', param };
    expect(await refused(createReport, call)).toMatchObject(error);
  });

  test('to a caller who may not see the message or the contact, and stores nothing', async () => {
    const { id: message_id } = await bobsMessage();
    for (const body of [{ message_id }, { contact_id: 'bob' }]) {
      const call = { as: eve, body: { ...body, reason: 'spam' } };
      expect(await refused(createReport, call)).toMatchObject({ status: 404 });
    }
    expect(await getItem(reportKey('eve', 'message_id', message_id))).toBeUndefined();
  });

  test('for a deleted message that the caller has not reported', async () => {
    const { id: message_id } = await bobsMessage();
    await removeMessage(bob, message_id);
    const call = { as: ann, body: { message_id, reason: 'spam' } };
    expect(await refused(createReport, call)).toMatchObject({ status: 404, param: 'message_id' });
  });
});

describe('Reporting with', () => {
  const reason = 'spam';
  const note = 'x'.repeat(1001);
  test.each<[string, object, string, string?]>([
    ['no subject', { reason }, 'message_id', 'parameter_missing'],
    ['a null subject', { contact_id: null, reason }, 'message_id', 'parameter_missing'],
    ['a message and a contact', { message_id: 'm', contact_id: 'bob', reason }, 'contact_id'],
    ['a contact and a business', { contact_id: 'bob', public_id: 'b', reason }, 'public_id'],
    ['a message and a business', { message_id: 'm', public_id: 'b', reason }, 'public_id'],
    ['no reason', { contact_id: 'bob' }, 'reason', 'parameter_missing'],
    ['an unknown reason', { contact_id: 'bob', reason: 'boring' }, 'reason'],
    ['a note of 1,001 characters', { contact_id: 'bob', reason, note }, 'note'],
    ['an invalid contact', { contact_id: 'a b', reason }, 'contact_id'],
  ])('%s is rejected', async (_, body, param, code = 'parameter_invalid') => {
    const error = { status: 400, code, param };
    expect(await refused(createReport, { as: ann, body })).toMatchObject(error);
  });
});

test('A form with an empty note creates a report without a note', async () => {
  const form = { contact_id: 'ann', reason: 'other', note: '' };
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const call = { as: ann, headers, body: new URLSearchParams(form).toString() };
  expect(await ok(createReport, call)).toMatchObject({ note: null });
});
