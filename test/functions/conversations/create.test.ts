import { describe, expect, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { createConversation } from '../../../shared/contract/operations.ts';
import { create, getConversation } from '../../support/handlers/api-calls.ts';
import { commonHeaders } from '../../support/handlers/common-headers.ts';
import { invalidError, notAllowedError } from '../../support/handlers/expected-errors.ts';
import { refused, request } from '../../support/handlers/invoke-handler.ts';
import { ann, bob, person } from '../../support/people/callers.ts';
import '../../support/setup/use-table.ts';

const annOfTeam = person('ann', { groups: ['team'] });

describe('Creating a conversation', () => {
  test('with a contact returns 201, the conversation and its URL in the Location header', async () => {
    const before = Math.floor(clock.now() / 1000);

    const { status, headers, body } = await request(createConversation, {
      as: ann,
      body: { contact_id: 'bob' },
    });

    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      contact_id: 'bob',
      group_id: null,
      pinned_message_id: null,
      is_pinned: false,
      is_muted: false,
      last_active_at: null,
      last_opened_at: null,
      created_at: expect.any(Number),
      archived_at: null,
    });
    const { id, created_at } = await getConversation(ann, (body as { id: string }).id);
    expect(created_at).toBeGreaterThanOrEqual(before);
    expect(headers).toEqual({
      ...commonHeaders,
      ETag: expect.stringMatching(/^"[\w-]{22}"$/),
      Location: `https://api.example.com/v1/conversations/${id}`,
    });
  });

  test('twice with the same contact creates two conversations', async () => {
    const first = await create(ann, { contact_id: 'bob' });
    const second = await create(ann, { contact_id: 'bob' });
    expect(second.id).not.toBe(first.id);
  });

  test('sets contact_id to the other participant in each participant’s view', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    expect((await getConversation(ann, id)).contact_id).toBe('bob');
    expect((await getConversation(bob, id)).contact_id).toBe('ann');
  });

  test('in a group grants access to its members and sets contact_id to null', async () => {
    const { id, ...conversation } = await create(annOfTeam, { group_id: 'team' });
    expect(conversation).toMatchObject({ group_id: 'team', contact_id: null });
    expect(await getConversation(person('carl', { groups: ['team'] }), id)).toMatchObject({
      group_id: 'team',
    });
  });

  test('with a group and a contact grants access to the contact, and sets contact_id to the creator in the contact’s view', async () => {
    const { id, contact_id } = await create(annOfTeam, { group_id: 'team', contact_id: 'bob' });
    expect(contact_id).toBe('bob');
    expect(await getConversation(bob, id)).toMatchObject({ group_id: 'team', contact_id: 'ann' });
  });

  test('with the caller’s own contact id succeeds', async () => {
    const { id } = await create(ann, { contact_id: 'ann' });
    expect((await getConversation(ann, id)).contact_id).toBe('ann');
  });

  test.each([
    ['neither a contact nor a group', {}],
    ['null for contact_id and group_id', { contact_id: null, group_id: null }],
  ])('with %s is rejected, and the error names the missing fields', async (_, body) => {
    expect(await refused(createConversation, { as: ann, body })).toEqual({
      status: 400,
      type: 'invalid_request',
      code: 'parameter_missing',
      param: 'contact_id',
      message: "'contact_id' or 'group_id' or 'business_id' is required.",
    });
  });

  test.each([
    ['with a space', 'b ob'],
    ['with a key delimiter', 'bob#CONVERSATION'],
    ['that is empty', ''],
    ['of 129 characters', 'b'.repeat(129)],
    ['that is not a string', 7],
  ])('with a contact id %s is rejected', async (_, contact_id) => {
    expect(await refused(createConversation, { as: ann, body: { contact_id } })).toEqual(
      invalidError('contact_id', 'must be 1 to 128 characters of A-Z a-z 0-9 _ . : @ | + = , -'),
    );
  });

  test('in a group to which the caller does not belong is rejected', async () => {
    expect(await refused(createConversation, { as: ann, body: { group_id: 'team' } })).toEqual(
      notAllowedError('Only members of the group can create a conversation in it.', 'group_id'),
    );
  });

  test('accepts a form instead of JSON, and treats an empty field as null', async () => {
    const { status, body } = await request(createConversation, {
      as: annOfTeam,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'contact_id=&group_id=team',
    });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { contact_id: null, group_id: 'team' },
    });
  });
});
