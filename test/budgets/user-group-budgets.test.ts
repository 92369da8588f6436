import { randomUUID } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import { budgets } from '../../commands/cost/budgets.ts';
import { createConversation, deleteConversation } from '../../shared/contract/operations.ts';
import { random } from '../../shared/ids.ts';
import { usage } from '../../shared/log/usage.ts';
import { measureCost, toMeasuredBudget } from '../commands/cost/measure-budget.ts';
import { create, send } from '../support/handlers/api-calls.ts';
import { conversationRequests } from '../support/handlers/conversation-requests.ts';
import { makeGroup } from '../support/handlers/group-calls.ts';
import { ok } from '../support/handlers/invoke-handler.ts';
import { person } from '../support/people/callers.ts';
import '../support/setup/use-table.ts';

const mia = person('mia');

/** Creates a conversation with a message in the caller's token group, or else in a new group. */
async function begin(as: typeof mia) {
  const group_id = as.groups[0] ?? (await makeGroup(as)).id;
  const { id: conversation_id } = await create(as, { group_id });
  // The first send caches the conversation's group in the environment.
  const { id: message_id } = await send(as, conversation_id, 'Hello');
  return { group_id, conversation_id, message_id };
}

describe('In a user group, a request costs one call and one read unit more than in a token group:', () => {
  test.each(Object.entries(conversationRequests))('%s', async (_, toRequest) => {
    jest.spyOn(random, 'oneIn').mockReturnValue(false);
    const miaInTeam = person('mia-of-team', { groups: [randomUUID()] });
    const [inTeam, inGroup] = [await begin(miaInTeam), await begin(mia)];
    const tokenGroup = await measureCost(ok(...toRequest(inTeam, miaInTeam)));
    const userGroup = await measureCost(ok(...toRequest(inGroup, mia)));
    const { calls, reads, writes } = tokenGroup;
    expect(userGroup).toEqual({ calls: calls + 1, reads: reads + 1, writes });
  });

  test('create a conversation (compared with the budget)', async () => {
    const { id: group_id } = await makeGroup(mia);
    await create(mia, { group_id });
    expect(await measureCost(ok(createConversation, { as: mia, body: { group_id } }))).toEqual(
      toMeasuredBudget(budgets['conversations/create'].userGroup),
    );
  });
});

describe('In a user group,', () => {
  const sends = budgets['messages/send'];

  test('a send needs no transaction, but needs one more attempt in an environment that has not cached the group', async () => {
    const { id: group_id } = await makeGroup(mia);
    const { id } = await create(mia, { group_id });
    expect(await measureCost(send(mia, id, 'First'))).toEqual(
      toMeasuredBudget(sends.userGroupElsewhere),
    );
    expect(await measureCost(send(mia, id, 'Second'))).toEqual(toMeasuredBudget(sends.userGroup));
  });

  test('deleting a conversation takes two more calls: a membership read and a second update, because the first update fails', async () => {
    const { conversation_id } = await begin(mia);
    await ok(deleteConversation, { as: mia, path: { conversation_id } });
    const { calls, reads, writes } = budgets['conversations/delete'].userGroup;
    const { table_calls, read_units, write_units } = usage;
    expect([table_calls, read_units, write_units]).toEqual([calls, reads, writes]);
  });
});
