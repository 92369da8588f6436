import { describe, expect, test } from '@jest/globals';
import { budgets } from '../../commands/cost/budgets.ts';
import type { Caller } from '../../shared/caller.ts';
import {
  deleteConversation,
  listReaders,
  updateConversation,
} from '../../shared/contract/operations.ts';
import { measureCost, toMeasuredBudget } from '../commands/cost/measure-budget.ts';
import {
  changeConversation,
  create,
  list,
  removeConversation,
  send,
} from '../support/handlers/api-calls.ts';
import { ok } from '../support/handlers/invoke-handler.ts';
import { ann, bob, person } from '../support/people/callers.ts';
import { seedMessages } from '../support/seeds/seed-messages.ts';
import '../support/setup/use-table.ts';

const updates = budgets['conversations/update'];
const deletes = budgets['conversations/delete'];

describe('Each operation on a conversation has the budgeted cost:', () => {
  const member = person('ann', { groups: ['team'] });
  /**
   * Creates a conversation that both people open, so that settings exist. DynamoDB Local charges
   * nothing for reads of missing items.
   */
  async function direct() {
    const conversation = await create(ann, { contact_id: 'bob' });
    for (const as of [ann, bob]) await list(as, conversation.id);
    return conversation;
  }
  const tagged = { 'If-Match': '*' };

  test('set the first flag, add another flag, change a flag, remove all flags, and change nothing', async () => {
    const { id } = await direct();
    const cost = (body: object) => measureCost(changeConversation(ann, id, body));
    const noFlags = { is_muted: false, is_pinned: false, archived_at: null };
    expect(await cost({ is_muted: true })).toEqual(updates.firstFlag);
    expect(await cost({ is_pinned: true })).toEqual(updates.nextFlag);
    expect(await cost({ archived_at: 5 })).toEqual(updates.nextFlag);
    expect(await cost({ archived_at: 6 })).toEqual(updates.firstFlag);
    expect(await cost(noFlags)).toEqual(updates.firstFlag);
    expect(await cost(noFlags)).toEqual(updates.unchanged);
  });

  test('mark the only unread message of ten as read, then repeat the request, which writes nothing', async () => {
    const { id } = await direct();
    await seedMessages(id, 'ann', 9);
    await list(bob, id);
    const { id: last_read_message_id } = await send(ann, id, 'new');
    const measureRead = () => measureCost(changeConversation(bob, id, { last_read_message_id }));
    expect(await measureRead()).toEqual(updates.readOne);
    expect(await measureRead()).toEqual({ ...updates.readOne, calls: 2, writes: 0 });
  });

  test('mark ten messages as unread, then repeat the request', async () => {
    const { id } = await direct();
    await seedMessages(id, 'ann', 10);
    const { data } = await list(bob, id);
    const mark_unread_from = data.at(-1)?.id;
    const mark = () => measureCost(changeConversation(bob, id, { mark_unread_from }));
    expect(await mark()).toEqual(updates.markUnread);
    expect(await mark()).toEqual(updates.unchanged);
  });

  test('list two readers', async () => {
    const { id } = await direct();
    // Creates both contact items: DynamoDB Local, unlike AWS, does not charge for missing items.
    for (const as of [ann, bob]) await send(as, id, 'Hello');
    for (const as of [ann, bob]) await list(as, id);
    const path = { conversation_id: id };
    expect(await measureCost(ok(listReaders, { as: ann, path }))).toEqual(
      toMeasuredBudget(budgets['readers/list'].two),
    );
  });

  test('set, move and remove a pin', async () => {
    const { id } = await direct();
    const [first, second] = [await send(ann, id, 'first'), await send(bob, id, 'second')];
    const pin = (as: Caller, pinned_message_id: string | null) =>
      measureCost(changeConversation(as, id, { pinned_message_id }));
    expect(await pin(ann, first.id)).toEqual(updates.pin);
    expect(await pin(bob, second.id)).toEqual(updates.pin);
    expect(await pin(ann, null)).toEqual(updates.pin);
  });

  test('set a flag with If-Match, in one transaction for the conversation and the settings', async () => {
    const { id } = await direct();
    const call = { as: ann, path: { conversation_id: id }, headers: tagged };
    expect(
      await measureCost(ok(updateConversation, { ...call, body: { is_muted: true } })),
    ).toEqual(updates.flagIfMatch);
  });

  test('delete a direct and a group conversation, and a conversation with If-Match', async () => {
    const { id } = await direct();
    expect(await measureCost(removeConversation(bob, id))).toEqual(deletes.direct);
    const { id: inGroup } = await create(member, { group_id: 'team' });
    expect(await measureCost(removeConversation(member, inGroup))).toEqual(deletes.group);
    const call = { as: ann, path: { conversation_id: (await direct()).id }, headers: tagged };
    expect(await measureCost(ok(deleteConversation, call))).toEqual(deletes.directIfMatch);
  });
});
