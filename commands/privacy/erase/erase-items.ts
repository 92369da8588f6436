import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { clock } from '../../../shared/clock.ts';
import { usage } from '../../../shared/log/usage.ts';
import { toErasureEndUpdate } from '../../../shared/table/erased-contact.ts';
import { chunkKey } from '../../../shared/table/keys/keys.ts';
import type { StageTable } from '../../stage/stage-table.ts';
import { forEachPersonItem, type ItemActions } from '../items/for-each-person-item.ts';
import { addCounts, type Counts, countErasable } from '../items/item-counts.ts';
import { createRateLimiter } from '../items/rate-limiter.ts';
import { type TableRange, toPartitionRange } from '../items/read-ranges.ts';
import { eraseItem, preventSettings } from './erase-item.ts';
import { eraseProfile } from './erase-profile.ts';

export interface Erasure {
  table: StageTable;
  id: string;
  /** The parts of the table to search. */
  ranges: readonly TableRange[];
  /** Maximum capacity units per second. */
  rates: { reads: number; writes: number };
  /** Whether the stage has feeds, which receive events of the erasure. */
  hasEvents: boolean;
  pageSize?: number;
  onProgress?: (counts: Counts) => void;
  /**
   * Called before the wait for all functions to refuse writes. Receives the duration of the wait in
   * milliseconds.
   */
  onWait?: (milliseconds: number) => void;
}

const maxSearches = 5;
/** Pause before each poll. The stream usually delivers the erasure's events within seconds. */
const feedPollMilliseconds = 2000;
const emptyPolls = 2;
const maxPolls = 15;

/** Counts the items of a person without changing them. */
export const countItems = ({ rates, ...erasure }: Erasure): Promise<Counts> =>
  forEachPersonItem({ ...erasure, limitRate: createRateLimiter(rates.reads) });

/**
 * Erases the profile, so that functions refuse the person's writes. Then erases the person's items
 * in up to four searches. Stops earlier if a search finds nothing and all functions already refused
 * the writes when the search started. Returns the counts of erased and remaining items. Can be
 * repeated.
 */
export async function eraseItems(
  erasure: Erasure,
): Promise<{ erased: Counts & { conversations: number }; remaining: Counts }> {
  const { table, id, rates, hasEvents } = erasure;
  const limitRate = createRateLimiter(rates.reads);
  const erase = createEraser(erasure);
  const { existed, ...profile } = await eraseProfile(table, id);
  let { refusalDelay } = profile;
  let erased: Counts = existed ? { profile: 1 } : {};
  for (let search = 1; ; search++) {
    const startedAt = clock.now();
    const counts = await forEachPersonItem(
      { ...erasure, limitRate },
      search < maxSearches ? erase : undefined,
    );
    const { conversations = 0, events = 0, ...remaining } = counts;
    const isComplete = countErasable(remaining) === 0;
    if ((isComplete && refusalDelay === 0) || search === maxSearches) {
      if (isComplete && coversTable(erasure)) await recordCompletion(table, id, startedAt);
      // Entries of the feed do not count as remaining, because other participants' writes add
      // entries until the conversations are deleted.
      return { erased: { ...addCounts(erased, { events }), conversations }, remaining };
    }
    erased = addCounts(erased, remaining, { events });
    if (refusalDelay > 0) {
      erasure.onWait?.(refusalDelay);
      await clock.sleep(refusalDelay);
      refusalDelay = 0;
    }
    if (hasEvents) erased = addCounts(erased, await emptyFeed(erasure, erase));
  }
}

const coversTable = ({ ranges }: Erasure) => ranges.every(({ kind }) => kind === 'segment');

async function recordCompletion(
  { client, name }: StageTable,
  id: string,
  erasedThrough: number,
): Promise<void> {
  try {
    await client.send(
      new UpdateCommand({ TableName: name, ...toErasureEndUpdate(id, erasedThrough) }),
    );
  } catch (error) {
    // An operator has deleted the record to allow a profile for the id again (docs/privacy.md).
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/**
 * Returns actions that erase items within the permitted rates. The rates limit the capacity units
 * that the table code consumes.
 */
function createEraser({ table, id, rates }: Erasure): ItemActions {
  const [limitReads, limitWrites] = [
    createRateLimiter(rates.reads),
    createRateLimiter(rates.writes),
  ];
  let counted = { ...usage };
  const limitRates = async () => {
    const reads = usage.read_units - counted.read_units;
    const writes = usage.write_units - counted.write_units;
    counted = { ...usage };
    await limitReads(reads);
    // `usage` omits writes outside shared/table, so each item counts as at least one unit.
    await limitWrites(Math.max(1, writes));
  };
  return {
    onItem: (found) => eraseItem(found, id, table).then(limitRates),
    onSharedConversation: (shared) => preventSettings(shared, id).then(limitRates),
  };
}

/**
 * Empties the erased person's feed. Polls the feed until two consecutive polls find nothing, but at
 * most 15 times. Returns the counts of erased items.
 */
async function emptyFeed(erasure: Erasure, erase: ItemActions) {
  const { id, rates } = erasure;
  const ranges = [toPartitionRange(chunkKey({ kind: 'contact', id }, 1).pk)];
  const limitRate = createRateLimiter(rates.reads);
  let erased: Counts = {};
  for (let polls = 0, empty = 0; polls < maxPolls && empty < emptyPolls; polls++) {
    await clock.sleep(feedPollMilliseconds);
    const { events = 0 } = await forEachPersonItem(
      { ...erasure, ranges, limitRate, onProgress: undefined },
      erase,
    );
    erased = addCounts(erased, { events });
    empty = events === 0 ? empty + 1 : 0;
  }
  return erased;
}
