import { findUnmaintainedFeeds } from '../../support/table/check-feed-items.ts';
import type { ServingCloud } from '../cloud/cloud-process.ts';
import { hasNoDeletion, isDeleted, type Model } from '../model/model.ts';
import { findStrayReason, findWrongIdempotencyRecords, isUnpurged } from './find-stray-items.ts';
import { type Item, readTable } from './read-table.ts';

export interface TableFigures {
  items: number;
  deletedConversations: number;
}

/**
 * Reports items that belong to no known resource, messages without an item, a wrong number of
 * idempotency records, and feeds whose entries never expire.
 */
export async function checkTable(
  cloud: ServingCloud,
  model: Model,
  people: ReadonlySet<string>,
): Promise<TableFigures> {
  const items = await readTable(cloud);
  for (const item of items) {
    const reason = isUnpurged(model, item) ? undefined : findStrayReason(model, people, item);
    if (reason)
      model.report({ expected: `no such item in the table, as ${reason}: ${shown(item)}` });
  }
  for (const wrong of findWrongIdempotencyRecords(model, items)) model.report({ expected: wrong });
  for (const feed of findUnmaintainedFeeds(items)) {
    model.report({ expected: `maintenance of ${feed}, which has entries that never expire` });
  }
  reportMissing(model, items);
  return {
    items: items.length,
    deletedConversations: getDeletedConversations(model).length,
  };
}

export const getDeletedConversations = ({ conversations, now }: Model) =>
  [...conversations.values()].filter((one) => isDeleted(one, now));

function reportMissing({ messages, report }: Model, items: Item[]): void {
  const stored = new Set(items.map(({ id }) => id));
  for (const message of messages.values()) {
    const { conversation, id } = message;
    if (!hasNoDeletion(message) || !hasNoDeletion(conversation) || stored.has(id)) continue;
    report({ expected: `an item for message ${id}`, conversation });
  }
}

const shown = (item: Item) => JSON.stringify(item).slice(0, 300);
