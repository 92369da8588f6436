import { beforeEach, describe, expect, test } from '@jest/globals';
import { resetUsage, usage } from '../../../../shared/log/usage.ts';
import { publishToFeeds } from '../../../../shared/table/feed/publish-to-feeds.ts';
import {
  changeConversation,
  create,
  removeConversation,
} from '../../../support/handlers/api-calls.ts';
import { createTrio } from '../../../support/handlers/callers.ts';
import { readNewRecords } from '../../../support/handlers/live-worker.ts';
import '../../../support/setup/use-table.ts';

/** Tells what has happened since the last time: what was told, to whom, and by how many calls. */
async function publishNew() {
  const changes = (await readNewRecords()).map(({ dynamodb }) => ({
    sequenceNumber: dynamodb.SequenceNumber,
    at: 1_800_000_000,
    before: dynamodb.OldImage,
    after: dynamodb.NewImage,
  }));
  resetUsage();
  const { appended: told, failed } = await publishToFeeds(changes);
  expect(failed.size).toBe(0);
  return {
    told: told.map(({ inbox, entry }) => `${inbox.id} ${entry.type}`),
    calls: usage.table_calls,
  };
}

describe('Whoever knows nothing yet of a conversation', () => {
  let { cleo, xavier } = createTrio();
  let id = '';
  beforeEach(async () => {
    ({ cleo, xavier } = createTrio());
    ({ id } = await create(cleo, { contact_id: xavier.id }));
    // All that has happened so far, somebody else has told.
    await readNewRecords();
  });

  test('tells both who took part that it was deleted', async () => {
    await removeConversation(cleo, id);
    const { told } = await publishNew();
    expect(told.sort()).toEqual([
      `${cleo.id} conversation.deleted`,
      `${xavier.id} conversation.deleted`,
    ]);
  });

  test('tells somebody of their own settings without asking who takes part', async () => {
    await changeConversation(xavier, id, { is_muted: true });
    // The feed's newest chunk is looked for, somebody has to look after it, and it is begun.
    expect(await publishNew()).toEqual({ told: [`${xavier.id} conversation.updated`], calls: 3 });
  });
});
