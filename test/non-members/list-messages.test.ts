import { setTimeout as sleep } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { clock } from '../../shared/clock.ts';
import { listMessages } from '../../shared/contract/operations.ts';
import { env } from '../../shared/env.ts';
import { usage } from '../../shared/log/usage.ts';
import { conversationKey } from '../../shared/table/keys/keys.ts';
import {
  create,
  list,
  removeConversation,
  removeMessage,
  send,
} from '../support/handlers/api-calls.ts';
import { refused } from '../support/handlers/invoke-handler.ts';
import { ann, bob, eve } from '../support/people/callers.ts';
import { seedMessages } from '../support/seeds/seed-messages.ts';
import { selectSize } from '../support/setup/sample-size.ts';
import { interceptCalls } from '../support/table/call-hooks.ts';
import { documentClient } from '../support/table/document-client.ts';
import '../support/setup/use-table.ts';

const unusedId = '0'.repeat(26);

/** Reserves a sequence number without using it, as a crashed sender does. */
const reserveSequenceFor = (id: string) =>
  documentClient.send(
    new UpdateCommand({
      TableName: env('TABLE_NAME'),
      Key: conversationKey(id),
      UpdateExpression: 'SET last_message_at = :now ADD message_count :one',
      ExpressionAttributeValues: { ':now': clock.now(), ':one': 1 },
    }),
  );

describe("A non-member's list of messages", () => {
  const histories: Record<string, string> = {};
  beforeAll(async () => {
    const many = (await create(ann, { contact_id: 'bob' })).id;
    await seedMessages(many, 'ann', selectSize(300, 3000));
    const emptied = (await create(ann, { contact_id: 'bob' })).id;
    await seedMessages(emptied, 'ann', selectSize(100, 400));
    for (let page = await list(ann, emptied, { limit: '100' }); page.data.length > 0; ) {
      for (const { id } of page.data) await removeMessage(ann, id);
      page = await list(ann, emptied, { limit: '100' });
    }
    const withGaps = (await create(ann, { contact_id: 'bob' })).id;
    await send(ann, withGaps, 'first');
    for (let n = 0; n < 20; n++) await reserveSequenceFor(withGaps);
    await send(ann, withGaps, 'last');
    const deleted = (await create(ann, { contact_id: 'bob' })).id;
    await seedMessages(deleted, 'ann', selectSize(300, 3000));
    await removeConversation(ann, deleted);
    const large = (await create(ann, { contact_id: 'bob' })).id;
    await seedMessages(large, 'ann', 6, () => clock.now(), 'x'.repeat(240_000));
    Object.assign(histories, { many, emptied, withGaps, deleted, large });
  });

  test.each(['many', 'emptied', 'withGaps', 'deleted', 'large'])(
    'reads at most one page, writes nothing, and returns the same error as for an unknown id: %s',
    async (history) => {
      const id = histories[history] ?? '';
      for (const limit of ['10', '100']) {
        const query = { conversation_id: id, limit };
        const known = await refused(listMessages, { as: eve, query });
        // The third call reads a membership, even if the conversation has no user group.
        expect(usage.table_calls).toBeLessThanOrEqual(3);
        expect(usage.write_units).toBe(0);
        // AWS also charges for the discarded read, up to the first message beyond 1 MB.
        await sleep(100);
        expect(usage.read_units).toBeLessThanOrEqual(3 + 300);
        const unknown = { ...query, conversation_id: unusedId };
        expect(known).toEqual(await refused(listMessages, { as: eve, query: unknown }));
      }
    },
  );

  test('returns 404 without waiting for reads of the message log', async () => {
    const { promise: blocked, resolve: release } = Promise.withResolvers<void>();
    interceptCalls(async ({ operation }, proceed) => {
      if (operation === 'Query') await blocked;
      await proceed();
    });
    const query = { conversation_id: histories.many ?? '' };
    expect(await refused(listMessages, { as: eve, query })).toMatchObject({ status: 404 });
    release();
  });

  test('returns 404 even if reads of the message log fail', async () => {
    interceptCalls(async ({ operation }, proceed) => {
      if (operation === 'Query') throw new Error('The table rejects reads.');
      await proceed();
    });
    const query = { conversation_id: histories.many ?? '' };
    expect(await refused(listMessages, { as: eve, query })).toMatchObject({ status: 404 });
    expect(
      await refused(listMessages, { as: bob, query: { conversation_id: unusedId } }),
    ).toMatchObject({ status: 404 });
  });
});
