import { describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { retrieveConversation } from '../../../shared/contract/operations.ts';
import { create, getConversation, list, send } from '../../support/handlers/api-calls.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { ann, bob } from '../../support/people/callers.ts';
import '../../support/setup/use-table.ts';

describe('Retrieving a conversation', () => {
  test('returns when the last message was sent and when the caller last opened the conversation', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const { created_at } = await send(ann, id, 'Hello');
    await list(bob, id);

    expect(await getConversation(ann, id)).toMatchObject({
      last_active_at: created_at,
      last_opened_at: null,
    });
    expect(await getConversation(bob, id)).toMatchObject({
      last_active_at: created_at,
      last_opened_at: expect.any(Number),
    });
  });

  test('returns 304 if the ETag is current, and 200 after the conversation changes', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const call = { as: ann, path: { conversation_id: id } };
    const { ETag = '' } = (await request(retrieveConversation, call)).headers;
    const again = { ...call, headers: { 'If-None-Match': `"other", W/${ETag}` } };

    const unchanged = await request(retrieveConversation, again);
    expect(unchanged).toMatchObject({ status: 304, headers: { ETag }, body: '' });

    await send(bob, id, 'Hello');
    const changed = await request(retrieveConversation, again);
    expect(changed.status).toBe(200);
    expect(changed.headers.ETag).not.toBe(ETag);
  });

  test('returns a new ETag after a message with the same timestamp as the previous message', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    jest.spyOn(clock, 'now').mockReturnValue(clock.now());
    const etags = [];
    for (const message of ['one', 'two']) {
      await send(ann, id, message);
      const call = { as: ann, path: { conversation_id: id } };
      etags.push((await request(retrieveConversation, call)).headers.ETag);
    }
    expect(new Set(etags).size).toBe(2);
  });
});
