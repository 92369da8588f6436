import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createConversation, retrieveContact } from '../../shared/contract/operations.ts';
import { bearer, call, fetchPath, getError, person, send } from './support/api.ts';
import { eventually } from './support/eventually.ts';

const [ann, bob, carol] = [person('ANN'), person('BOB'), person('CAROL')];

describe('Retrieving a contact', () => {
  test('returns the other participant of a direct conversation', async () => {
    await call(ann, createConversation, { body: { contact_id: bob.id } });
    await eventually(async () => {
      const shown = await call(bob, retrieveContact, { path: { contact_id: ann.id } });
      expect(shown).toMatchObject({ id: ann.id, created_at: expect.any(Number) });
    });
    const path = { contact_id: bob.id };
    expect(await call(ann, retrieveContact, { path })).toMatchObject({ id: bob.id });
  });

  test('returns only the id of a user without activity, and accepts all allowed characters in the id', async () => {
    const id = `new.one+${randomUUID()}@example.com|a=b,c:d_-`;
    await call(ann, createConversation, { body: { contact_id: id } });
    const inactiveContact = {
      ...{ id, username: null, phone_number: null, avatar_url: null },
      ...{ last_active_at: null, created_at: null },
    };
    await eventually(async () => {
      expect(await call(ann, retrieveContact, { path: { contact_id: id } })).toEqual(
        inactiveContact,
      );
    });
    // The id in two forms: escaped only where a URL requires it, and fully percent-encoded.
    for (const written of [id.replace('|', '%7C'), encoded(id)]) {
      const response = await fetchPath(`/v1/contacts/${written}`, { headers: bearer(ann.token) });
      expect(await response.json()).toEqual(inactiveContact);
      // The ETag is stable: other scenarios change only the contacts of Ann, Bob and Carol.
      const path = { contact_id: id };
      const headers = { 'If-None-Match': response.headers.get('ETag') ?? '' };
      const unchanged = await send(ann, retrieveContact, { path, headers });
      expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
    }
    await expectNotFound(carol, id);
  });

  test('returns 404 for a user who shares no conversation with the caller, and rejects an invalid id', async () => {
    await expectNotFound(ann, randomUUID());
    const response = await send(ann, retrieveContact, { path: { contact_id: 'no such#id' } });
    expect(await getError(retrieveContact, response)).toEqual({
      code: 'parameter_invalid',
      param: 'contact_id',
    });
  });
});

const encoded = (text: string) =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

async function expectNotFound(person: typeof ann, contact_id: string): Promise<void> {
  const response = await send(person, retrieveContact, { path: { contact_id } });
  expect(await getError(retrieveContact, response)).toEqual({
    code: 'not_found',
    param: 'contact_id',
  });
}
