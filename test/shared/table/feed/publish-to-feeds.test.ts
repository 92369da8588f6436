import { beforeEach, describe, expect, test } from '@jest/globals';
import { resetUsage, usage } from '../../../../shared/log/usage.ts';
import { publishToFeeds } from '../../../../shared/table/feed/publish-to-feeds.ts';
import {
  changeConversation,
  create,
  removeConversation,
} from '../../../support/handlers/api-calls.ts';
import { createTrio } from '../../../support/people/callers.ts';
import { readNewRecords } from '../../../support/workers/live-worker.ts';
import '../../../support/setup/use-table.ts';

/** Publishes the changes since the last call. */
async function publishNew() {
  const changes = (await readNewRecords()).map(({ dynamodb }) => ({
    sequenceNumber: dynamodb.SequenceNumber,
    at: 1_800_000_000,
    before: dynamodb.OldImage,
    after: dynamodb.NewImage,
  }));
  resetUsage();
  const { appended: published, failed } = await publishToFeeds(changes);
  expect(failed.size).toBe(0);
  return {
    published: published.map(({ inbox, entry }) => `${inbox.id} ${entry.type}`),
    calls: usage.table_calls,
  };
}

describe('A publisher without a cached conversation', () => {
  let { cleo, xavier } = createTrio();
  let id = '';
  beforeEach(async () => {
    ({ cleo, xavier } = createTrio());
    ({ id } = await create(cleo, { contact_id: xavier.id }));
    // Discards all earlier changes, as if another publisher had published them.
    await readNewRecords();
  });

  test('publishes a deletion to both participants', async () => {
    await removeConversation(cleo, id);
    const { published } = await publishNew();
    expect(published.sort()).toEqual([
      `${cleo.id} conversation.deleted`,
      `${xavier.id} conversation.deleted`,
    ]);
  });

  test('publishes a settings change only to the participant who made it, without reading the participants', async () => {
    await changeConversation(xavier, id, { is_muted: true });
    // The calls find the feed's newest chunk, schedule maintenance, and create the first chunk.
    expect(await publishNew()).toEqual({
      published: [`${xavier.id} conversation.updated`],
      calls: 3,
    });
  });
});
