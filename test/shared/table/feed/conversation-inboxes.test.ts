import { expect, test } from '@jest/globals';
import { resetUsage, usage } from '../../../../shared/log/usage.ts';
import {
  cacheParticipants,
  getConversationInboxes,
  getParticipants,
} from '../../../../shared/table/feed/conversation-inboxes.ts';
import { create, removeConversation } from '../../../support/handlers/api-calls.ts';
import { ann } from '../../../support/people/callers.ts';
import '../../../support/setup/use-table.ts';

test('Participants are returned even if another conversation in the same read evicts them from the cache', async () => {
  const [oldest, unknown] = [
    await create(ann, { contact_id: 'bob' }),
    await create(ann, { contact_id: 'carol' }),
  ];
  cacheParticipants(oldest.id, { created_by: 'ann', contact_id: 'bob' });
  for (let n = 1; n < 20_000; n++) cacheParticipants(`another-${n}`, { created_by: 'ann' });

  const partiesIn = await getParticipants([oldest.id, unknown.id]);

  expect([partiesIn(oldest.id), partiesIn(unknown.id)]).toEqual([
    { created_by: 'ann', contact_id: 'bob' },
    { created_by: 'ann', contact_id: 'carol' },
  ]);
});

test('Participants of several conversations are read in one call and cached; a deleted conversation has no participants', async () => {
  const [one, other, deleted] = [
    await create(ann, { contact_id: 'bob' }),
    await create(ann, { contact_id: 'ann' }),
    await create(ann, { contact_id: 'bob' }),
  ];
  await removeConversation(ann, deleted.id);
  const callsFor = async (...ids: string[]) => {
    resetUsage();
    const partiesIn = await getParticipants(ids);
    return { calls: usage.table_calls, parties: ids.map(partiesIn) };
  };
  const [withBob, withOneself] = ['bob', 'ann'].map((contact_id) => ({
    ...{ created_by: 'ann', contact_id },
  }));
  expect(await callsFor(one.id, other.id, deleted.id, one.id)).toEqual({
    ...{ calls: 1, parties: [withBob, withOneself, undefined, withBob] },
  });
  expect(await callsFor(one.id, other.id)).toEqual({ calls: 0, parties: [withBob, withOneself] });
});

test('A conversation is in the inbox of its group or creator and in the inbox of its named contact, without duplicates', () => {
  const ids = (parties: Parameters<typeof getConversationInboxes>[0]) =>
    getConversationInboxes(parties).map(({ kind, id }) => `${kind} ${id}`);
  expect(ids({ created_by: 'ann', contact_id: 'bob' })).toEqual(['contact ann', 'contact bob']);
  expect(ids({ created_by: 'ann', contact_id: 'ann' })).toEqual(['contact ann']);
  expect(ids({ created_by: 'ann', group_id: 'team' })).toEqual(['group team']);
  // A group may have the same id as a contact.
  expect(ids({ created_by: 'ann', group_id: 'bob', contact_id: 'bob' })).toEqual([
    'group bob',
    'contact bob',
  ]);
});
