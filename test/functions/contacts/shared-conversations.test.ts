import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { retrieveContact } from '../../../shared/contract/operations.ts';
import { isParticipant } from '../../response-invariants/permissions.ts';
import { create, removeConversation } from '../../support/handlers/api-calls.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { createTrio } from '../../support/people/callers.ts';
import { takeSample } from '../../support/setup/sample-size.ts';
import '../../support/setup/use-table.ts';

const roles = ['caller', 'contact', 'third'] as const;
type Role = (typeof roles)[number];

interface Situation {
  by: Role;
  names?: Role;
  isOfGroup?: boolean;
  isDeleted?: boolean;
  /** Whether the request's token contains the group. */
  isCallerMember?: boolean;
  /**
   * Whether the token of the contact's last write contained the group. Undefined if the contact has
   * not written since the conversation was created.
   */
  contactWroteAs?: 'member' | 'no member';
}

/** Creates the situation. Returns the actual and the expected access. */
async function checkAccess(situation: Situation): Promise<{ actual: boolean; expected: boolean }> {
  const { by, names, isOfGroup, isDeleted, isCallerMember, contactWroteAs } = situation;
  const { cleo, xavier, tina, team } = createTrio();
  const people = { caller: cleo, contact: xavier, third: tina };
  const withGroup = (person: Caller, isMember = false) => ({
    ...person,
    groups: isMember ? [team] : [],
  });

  const creator = withGroup(people[by], true);
  const { id } = await create(creator, {
    ...(names && { contact_id: people[names].id }),
    ...(isOfGroup && { group_id: team }),
  });
  if (isDeleted) await removeConversation(creator, id);
  if (contactWroteAs) {
    await create(withGroup(xavier, contactWroteAs === 'member'), { contact_id: xavier.id });
  }

  const caller = withGroup(cleo, isCallerMember);
  const { status } = await request(retrieveContact, {
    as: caller,
    path: { contact_id: xavier.id },
  });
  expect([200, 404]).toContain(status);

  const lastWroteAs = contactWroteAs ?? (by === 'contact' ? 'member' : 'none');
  const contact = withGroup(xavier, lastWroteAs === 'member');
  const parties = {
    created_by: creator.id,
    contact_id: names ? people[names].id : null,
    group_id: isOfGroup ? team : null,
  };
  const expected = !isDeleted && isParticipant(parties, caller) && isParticipant(parties, contact);
  return { actual: status === 200, expected };
}

const asMember = { isOfGroup: true, isCallerMember: true } as const;

describe('Access to a contact through a shared conversation', () => {
  test.each<[boolean, string, Situation]>([
    [true, 'a direct conversation that the caller created', { by: 'caller', names: 'contact' }],
    [true, 'a direct conversation that the contact created', { by: 'contact', names: 'caller' }],
    [false, 'a deleted conversation', { by: 'caller', names: 'contact', isDeleted: true }],
    [
      false,
      'a conversation between the contact and a third contact',
      { by: 'third', names: 'contact', isCallerMember: true },
    ],
    [
      true,
      'a conversation with the contact in the caller’s group',
      { by: 'third', names: 'contact', ...asMember },
    ],
    [
      false,
      'a group conversation that the caller created with the contact, after the caller left the group',
      { by: 'caller', names: 'contact', isOfGroup: true },
    ],
    [
      true,
      'a conversation with the caller in the contact’s group',
      { by: 'contact', names: 'caller', isOfGroup: true },
    ],
    [
      false,
      'a group conversation that the contact created with the caller, after the contact left the group and wrote again',
      { by: 'contact', names: 'caller', isOfGroup: true, contactWroteAs: 'no member' },
    ],
    [true, 'a shared group’s conversation', { by: 'third', ...asMember, contactWroteAs: 'member' }],
    [
      false,
      'a shared group’s conversation, if the contact has not written as a member',
      { by: 'third', ...asMember },
    ],
    [
      false,
      'a shared group’s deleted conversation',
      { by: 'third', ...asMember, contactWroteAs: 'member', isDeleted: true },
    ],
  ])('is granted (true) or refused (false): %s for %s', async (shared, _, situation) => {
    expect(await checkAccess(situation)).toEqual({ actual: shared, expected: shared });
  });

  test('is granted in every combination if and only if the conversation exists and both contacts are participants according to their last tokens', async () => {
    const wrong: object[] = [];
    for (const situation of takeSample([...situations()], 7)) {
      const { actual, expected } = await checkAccess(situation);
      if (actual !== expected) wrong.push({ actual, ...situation });
    }
    expect(wrong).toEqual([]);
  });
});

function* situations(): Generator<Situation> {
  const booleans = [true, false];
  for (const by of roles)
    for (const names of [undefined, ...roles])
      for (const isOfGroup of booleans)
        for (const isDeleted of booleans)
          for (const isCallerMember of booleans)
            for (const contactWroteAs of [undefined, 'member', 'no member'] as const) {
              if (!names && !isOfGroup) continue;
              yield {
                ...{ by, isOfGroup, isDeleted, isCallerMember },
                ...(names && { names }),
                ...(contactWroteAs && { contactWroteAs }),
              };
            }
}
