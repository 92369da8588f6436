import { beforeAll, describe, expect, test } from '@jest/globals';
import { newConversationId } from '../../../../../shared/ids.ts';
import { putNew, update } from '../../../../../shared/table/calls/access.ts';
import {
  newConversation,
  toStoredConversation,
} from '../../../../../shared/table/conversations/items/conversation-item.ts';
import {
  canDelete,
  canDeleteExpression,
  isParticipant,
  participantCondition,
} from '../../../../../shared/table/conversations/items/participants.ts';
import { conversationKey } from '../../../../../shared/table/keys/keys.ts';
import { person } from '../../../../support/people/callers.ts';
import '../../../../support/setup/use-table.ts';

const callers = ['ann', 'bob', 'eve'].flatMap((id) =>
  [[], ['team'], ['other'], ['other', 'team']].map((groups) => person(id, { groups })),
);

/** Every kind of conversation, created by ann. */
const conversations = [
  { contact_id: 'bob' },
  { contact_id: 'ann' },
  { group_id: 'team' },
  { group_id: 'team', contact_id: 'bob' },
  { group_id: 'team', contact_id: 'ann' },
].map((parties, n) => newConversation(newConversationId(n), 'ann', parties));

describe('The table condition for participants matches the check in code', () => {
  beforeAll(async () => {
    for (const one of conversations) await putNew(toStoredConversation(one));
  });

  const allowedCallers = (id: string, more: string[]) =>
    Promise.all(
      callers.map(async (caller) => {
        const { expression, values } = participantCondition(caller);
        const { done } = await update({
          Key: conversationKey(id),
          UpdateExpression: 'SET touched = :caller',
          ConditionExpression: [expression, ...more].join(' AND '),
          ExpressionAttributeValues: values,
        });
        return done;
      }),
    );

  test.each(conversations)(
    'for access and for deletion: contact $contact_id, group $group_id',
    async (one) => {
      const parts = callers.map((caller) => isParticipant(one, caller));
      expect(await allowedCallers(one.id, [])).toEqual(parts);
      expect(await allowedCallers(one.id, [canDeleteExpression])).toEqual(
        callers.map((caller, n) => parts[n] && canDelete(one, caller)),
      );
    },
  );
});

describe('Permission to delete a conversation', () => {
  const may = (parties: { contact_id?: string; group_id?: string }) =>
    ['ann', 'bob', 'eve'].filter((id) => canDelete({ created_by: 'ann', ...parties }, person(id)));

  test.each([
    [{ contact_id: 'bob' }, ['ann', 'bob']],
    [{ group_id: 'team' }, ['ann']],
    [{ group_id: 'team', contact_id: 'bob' }, ['ann']],
  ])('with %j is granted to %j', (parties, expected) => {
    expect(may(parties)).toEqual(expected);
  });
});
