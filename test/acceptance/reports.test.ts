import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  createConversation,
  createReport,
  deleteMessage,
  listBusinesses,
  sendMessage,
} from '../../shared/contract/operations.ts';
import { call, getError, person, send } from './support/api.ts';

const [ann, bob, carol] = [person('ANN'), person('BOB'), person('CAROL')];

describe('Creating a report', () => {
  test('of a message returns 201 once, then 200 with the same report, and 404 to a non-participant', async () => {
    const { id } = await call(ann, createConversation, { body: { contact_id: bob.id } });
    const sent = await call(bob, sendMessage, {
      body: { conversation_id: id, message: 'Buy my coins' },
    });
    const body = { message_id: sent.id, reason: 'scam' as const, note: 'Unasked' };
    const first = await send(ann, createReport, { body });
    const report = await first.json();
    expect([first.status, report]).toEqual([
      201,
      { ...body, contact_id: null, public_id: null, created_at: expect.any(Number) },
    ]);
    const refused = await send(carol, createReport, { body });
    expect([refused.status, await getError(createReport, refused)]).toEqual([
      404,
      { code: 'not_found', param: 'message_id' },
    ]);
    await call(bob, deleteMessage, { path: { message_id: sent.id } });
    const repeated = await send(ann, createReport, { body: { ...body, reason: 'spam' } });
    expect([repeated.status, await repeated.json()]).toEqual([200, report]);
  });

  test('succeeds for a contact or a business, but not for an unknown contact', async () => {
    const { data } = await call(ann, listBusinesses, { query: { limit: '1' } });
    const listed = data.flatMap((one) => ('public_id' in one ? { public_id: one.public_id } : []));
    const contact_id = `reported-${randomUUID()}`;
    await call(ann, createConversation, { body: { contact_id } });
    for (const subject of [{ contact_id }, ...listed]) {
      const report = await call(ann, createReport, { body: { ...subject, reason: 'other' } });
      expect(report).toMatchObject(subject);
    }
    const unknown = { body: { contact_id: randomUUID(), reason: 'other' as const } };
    expect(await getError(createReport, await send(ann, createReport, unknown))).toEqual({
      code: 'not_found',
      param: 'contact_id',
    });
  });
});
