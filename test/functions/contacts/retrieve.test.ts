import { describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { retrieveContact } from '../../../shared/contract/operations.ts';
import { create, getContact } from '../../support/handlers/api-calls.ts';
import { invalidError, notFoundError } from '../../support/handlers/expected-errors.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { createTrio, person, unknownContact } from '../../support/people/callers.ts';
import '../../support/setup/use-table.ts';

describe('Retrieving a contact', () => {
  test('returns the other participant of a direct conversation to each participant', async () => {
    const { cleo, xavier } = createTrio();
    jest.spyOn(clock, 'now').mockReturnValue(1_800_000_000_000);
    await create(xavier, { contact_id: cleo.id });
    const { groups: _, tokenExpiresAt: __, ...profile } = xavier;
    const times = { created_at: 1_800_000_000, last_active_at: 1_800_000_000 };
    expect(await getContact(cleo, xavier.id)).toEqual({ ...profile, ...times });
    expect(await getContact(xavier, cleo.id)).toEqual(unknownContact(cleo.id));
  });

  test('for a contact without activity, returns only the id', async () => {
    const { cleo } = createTrio();
    await create(cleo, { contact_id: 'never.seen@example.com' });
    expect(await getContact(cleo, 'never.seen@example.com')).toEqual(
      unknownContact('never.seen@example.com'),
    );
  });

  test('returns the caller, whether or not the caller has written before', async () => {
    const { cleo } = createTrio();
    expect(await getContact(cleo, cleo.id)).toEqual(unknownContact(cleo.id));
    await create(cleo, { contact_id: 'zoe' });
    expect(await getContact(cleo, cleo.id)).toMatchObject({ id: cleo.id, username: cleo.username });
  });

  test('does not return the groups of a contact', async () => {
    const { cleo, xavier, team } = createTrio();
    await create({ ...xavier, groups: [team] }, { contact_id: cleo.id });
    expect(JSON.stringify(await getContact(cleo, xavier.id))).not.toContain(team);
  });

  test('returns 304 if the ETag is current, 200 if it is outdated, and 404 to a stranger', async () => {
    const { cleo, xavier } = createTrio();
    await create(xavier, { contact_id: cleo.id });
    const call = { as: cleo, path: { contact_id: xavier.id } };
    const { ETag = '' } = (await request(retrieveContact, call)).headers;
    const again = { ...call, headers: { 'If-None-Match': ETag } };
    expect(await request(retrieveContact, again)).toMatchObject({ status: 304, body: '' });

    await create({ ...xavier, username: 'Xavier the Second' }, { contact_id: 'zoe' });
    expect(await request(retrieveContact, again)).toMatchObject({
      status: 200,
      body: { username: 'Xavier the Second' },
    });
    const wildcardCall = { path: call.path, headers: { 'If-None-Match': '*' } };
    expect(await refused(retrieveContact, { ...wildcardCall, as: person('stranger') })).toEqual(
      notFoundError('contact_id'),
    );
  });
});

describe('A contact id in the path', () => {
  test.each(['', 'a b', 'a#b', 'ä', 'a/b', 'x'.repeat(129), '%', '%zz', '%00', 'a%23b'])(
    "is rejected if it is '%s'",
    async (contact_id) => {
      const { cleo } = createTrio();
      expect(await refused(retrieveContact, { as: cleo, path: { contact_id } })).toEqual(
        invalidError('contact_id', 'must be 1 to 128 characters of A-Z a-z 0-9 _ . : @ | + = , -'),
      );
    },
  );

  test.each(['a.b', 'a@b.example', 'a|b', 'a+b', 'a=b', 'a,b', 'a:b', 'a_-', 'x'.repeat(128)])(
    "is accepted with and without percent-encoding if it is '%s'",
    async (contact_id) => {
      const { cleo } = createTrio();
      await create(cleo, { contact_id });
      expect(await getContact(cleo, contact_id)).toEqual(unknownContact(contact_id));
      expect(await getContact(cleo, encodeURIComponent(contact_id))).toEqual(
        unknownContact(contact_id),
      );
    },
  );
});
