import type { Cloud } from '../../../local-cloud/cloud.ts';
import type { OnTableCall } from '../../../local-cloud/table/table-proxy.ts';
import { listMessages, updateConversation } from '../../../shared/contract/operations.ts';
import { call } from '../../acceptance/support/api.ts';
import {
  createHold,
  type Hold,
  type Read,
  readAboveSlowSender,
  sendBeforeScan,
} from './delayed-writes.ts';
import { countAboveTombstones, deleteUntil, readAboveTombstones } from './many-tombstones.ts';
import { blockContact, followBlocks, maintainFeeds, purgeAndDefer, purgeGroups } from './purges.ts';
import { openItems } from './table-items.ts';
import {
  assignConversation,
  editToLargeText,
  failToPublish,
  publishDeletedReadMessage,
  readManyGroups,
  readUnknownContact,
  recordOldestAsDistinct,
  writeToClosedBusiness,
} from './unusual-requests.ts';

const reads: Read[] = [
  (caller, conversation_id) => call(caller, listMessages, { query: { conversation_id } }),
  (caller, conversation_id, last_read_message_id) =>
    call(caller, updateConversation, { path: { conversation_id }, body: { last_read_message_id } }),
];

/** Matches the live worker only: the function of live/retrieve has a longer name. */
const isLiveWorker = (functionId: string) => /^Live[0-9A-F]{8}$/.test(functionId);

/**
 * Provokes table calls that the scenarios do not make, for example calls after delays or crashes.
 * Nora replaces the scenarios' Ann, because functions cache the contacts that they read.
 */
export function createRareTableCalls(): {
  onTableCall: OnTableCall;
  provoke(cloud: Cloud): Promise<void>;
} {
  let hold: Hold | undefined;
  let scanHold: Hold | undefined;
  let publishHold: Hold | undefined;
  let hasTidiedUp = false;
  return {
    onTableCall: async ({ functionId, operation }) => {
      hasTidiedUp ||= functionId.startsWith('MessagesDelete') && operation === 'BatchWriteItem';
      if (functionId.startsWith('MessagesSend') && operation === 'PutItem') {
        hold?.begun.resolve();
        await hold?.ended.promise;
      }
      if (functionId.startsWith('Scan') && operation === 'UpdateItem') {
        scanHold?.begun.resolve();
        await scanHold?.ended.promise;
      }
      if (isLiveWorker(functionId)) await publishHold?.ended.promise;
      return undefined;
    },
    provoke: async (cloud) => {
      Object.assign(process.env, { API_URL: cloud.url });
      const items = openItems(cloud);
      const nora = { id: 'nora', token: await cloud.token('nora', { groups: ['team'] }) };
      // Steps that wait for the purge worker come first, because after a block or an edit of a
      // large text, the worker waits for a minute.
      await purgeAndDefer(items);
      await followBlocks(items);
      await maintainFeeds(items, nora);
      await purgeGroups(items);
      await blockContact(cloud);
      for (const read of reads) {
        hold = createHold();
        await readAboveSlowSender(nora, read, hold).finally(hold.ended.resolve);
        await readAboveTombstones(items, nora, read);
      }
      await countAboveTombstones(items, nora);
      await deleteUntil(items, nora, () => hasTidiedUp);
      await editToLargeText(nora);
      await readUnknownContact(items, nora);
      publishHold = createHold();
      await publishDeletedReadMessage(cloud, nora, publishHold).finally(publishHold.ended.resolve);
      await assignConversation(cloud);
      await writeToClosedBusiness(cloud);
      await failToPublish(items);
      await readManyGroups(items, cloud);
      await recordOldestAsDistinct(nora);
      scanHold = createHold();
      await sendBeforeScan(nora, scanHold).finally(scanHold.ended.resolve);
      items.close();
    },
  };
}
