import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../shared/caller.ts';
import { retrieveConversation } from '../../../shared/contract/operations.ts';
import { toFeedName } from '../../../shared/inbox.ts';
import { getItem } from '../../../shared/table/calls/access.ts';
import { isDeleted } from '../../../shared/table/conversations/items/conversation-tombstone.ts';
import {
  groupKey,
  groupMembersPartition,
  membershipCountKey,
  membershipKey,
} from '../../../shared/table/keys/group-keys.ts';
import {
  conversationKey,
  groupHeadKey,
  groupInboxPartition,
} from '../../../shared/table/keys/keys.ts';
import { create, getConversation, send } from '../../support/handlers/api-calls.ts';
import { addMember, makeGroup, removeGroup } from '../../support/handlers/group-calls.ts';
import { request } from '../../support/handlers/invoke-handler.ts';
import { getLiveCursor, listEventsAfter } from '../../support/handlers/list-events.ts';
import { createVirtualClock } from '../../support/handlers/virtual-clock.ts';
import { createTrio } from '../../support/people/callers.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import { interceptCalls } from '../../support/table/call-hooks.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import { purgeKey } from '../../support/workers/purge-worker.ts';
import '../../support/setup/use-table.ts';

/**
 * Invokes the purge worker until the group is removed, as the stream does. Throws after ten runs.
 */
async function purgeUntilRemoved(id: string): Promise<number> {
  for (let runs = 1; runs <= 10; runs += 1) {
    await purgeKey(groupKey(id));
    if (!(await getItem(groupKey(id)))) return runs;
  }
  throw new Error('The group still exists after ten purge runs.');
}

const countOf = async ({ id }: Caller) => (await getItem(membershipCountKey(id)))?.group_count;

/** Creates a deleted group with three members and two conversations, and a group to retain. */
async function createDeleted() {
  const { cleo, xavier, tina } = createTrio();
  const { id } = await makeGroup(cleo, [xavier]);
  await addMember(cleo, id, tina, 'admin');
  const { id: retained } = await makeGroup(cleo, [tina]);
  const conversations = [
    await create(cleo, { group_id: id }),
    await create(tina, { group_id: id }),
  ];
  for (const one of conversations) await send(xavier, one.id, 'Hello');
  const { id: other } = await create(cleo, { group_id: retained });
  await removeGroup(cleo, id);
  return {
    id,
    conversations: conversations.map((one) => one.id),
    cleo,
    xavier,
    tina,
    retained,
    other,
  };
}

async function expectPurged({
  id,
  conversations,
  ...rest
}: Awaited<ReturnType<typeof createDeleted>>) {
  const { cleo, xavier, tina, other } = rest;
  for (const key of [groupKey(id), groupHeadKey(id)]) expect(await getItem(key)).toBeUndefined();
  for (const { id: contactId } of [cleo, xavier, tina])
    expect(await getItem(membershipKey(contactId, id))).toBeUndefined();
  expect([await countOf(cleo), await countOf(xavier), await countOf(tina)]).toEqual([1, 0, 1]);
  for (const one of conversations)
    expect(isDeleted((await getItem(conversationKey(one))) ?? {})).toBe(true);
  expect((await getConversation(tina, other)).id).toBe(other);
}

/** Makes the first `queries` queries of a gsi1 partition return no items, like a stale index. */
function hideFromIndex(partition: string, queries: number) {
  let left = queries;
  interceptCalls(async ({ operation, input }, proceed) => {
    const values =
      'ExpressionAttributeValues' in input ? input.ExpressionAttributeValues : undefined;
    if (operation === 'Query' && JSON.stringify(values).includes(`"${partition}"`) && left > 0) {
      left -= 1;
      const hidden = JSON.parse(JSON.stringify(values).replace(partition, `${partition}-hidden`));
      Object.assign(input, { ExpressionAttributeValues: hidden });
    }
    await proceed();
  });
}

describe('A deleted group', () => {
  test('is hidden immediately, and appears as group.deleted in each former member’s own feed', async () => {
    const { cleo, xavier } = createTrio();
    const { id } = await makeGroup(cleo, [xavier]);
    const { id: conversation_id } = await create(cleo, { group_id: id });
    await publishAll();
    const starts = [await getLiveCursor(cleo), await getLiveCursor(xavier)];
    await removeGroup(cleo, id);
    for (const [n, as] of [cleo, xavier].entries()) {
      expect((await request(retrieveConversation, { as, path: { conversation_id } })).status).toBe(
        404,
      );
      await publishAll();
      const { events } = await listEventsAfter(as, starts[n]);
      expect(events).toEqual([
        expect.objectContaining({
          ...{ type: 'group.deleted', payload: { id, deleted: true } },
          feed: toFeedName({ kind: 'contact', id: as.id }),
        }),
      ]);
    }
  });

  test('is purged with its memberships, its conversations are deleted, and former members receive no further events', async () => {
    const deleted = await createDeleted();
    await publishAll();
    const start = await getLiveCursor(deleted.xavier);
    createVirtualClock();
    await purgeUntilRemoved(deleted.id);
    await expectPurged(deleted);
    await publishAll();
    expect((await listEventsAfter(deleted.xavier, start)).events).toEqual([]);
  });

  test.each([1, 3])(
    'is purged completely even if the index omits its members from the first queries (%s) and its conversations from the first query',
    async (queries) => {
      createVirtualClock();
      const hidden = await createDeleted();
      hideFromIndex(groupMembersPartition(hidden.id), queries);
      hideFromIndex(groupInboxPartition(hidden.id), 1);
      await purgeUntilRemoved(hidden.id);
      await expectPurged(hidden);
    },
  );

  test('is purged completely even if the purge worker crashes at any table call', async () => {
    createVirtualClock();
    for (let calls = 0, isOver = false; !isOver; calls += selectSize(4, 1)) {
      for (const point of ['before', 'after'] as const) {
        const deleted = await createDeleted();
        let left = calls;
        isOver = true;
        const undo = interceptCalls(async (_, proceed) => {
          left -= 1;
          if (left > 0 || (left === 0 && point === 'after')) await proceed();
          if (left > 0) return;
          isOver = false;
          throw new Error('The worker crashed.');
        });
        for (let runs = 0; runs < 4 && (await purgeKey(groupKey(deleted.id))).length === 0; )
          runs += 1;
        undo();
        await purgeUntilRemoved(deleted.id);
        await expectPurged(deleted);
      }
    }
  }, 300_000);
});
