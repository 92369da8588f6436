import type { StreamRecord } from './stream-event.ts';

export interface LanesOptions {
  /** Maximum number of the shard's batches to process concurrently. */
  parallelBatches: number;
  batchSize: number;
  stopping: AbortSignal;
  process(records: readonly StreamRecord[]): Promise<void>;
  /** Receives the sequence number up to which all records are processed. */
  save(sequenceNumber: string): void;
}

export interface ReadRecord {
  record: StreamRecord;
  /** Whether the function receives the record. If not, the record counts as processed. */
  isRelevant: boolean;
}

/** A shard's records, queued for a function. */
export interface Lanes {
  /** Queues records in stream order. */
  add(records: readonly ReadRecord[]): void;
  /** Resolves when more records may be read. Rejects with the first error of `process`. */
  hasRoom(): Promise<void>;
  /**
   * Resolves when no lane is processing records. A lane stops early if `process` fails or the local
   * cloud is stopping.
   */
  settled(): Promise<void>;
}

/**
 * Average number of batches per lane to read ahead, so that the other lanes continue while a
 * failing record blocks one lane.
 */
const batchesAhead = 10;

/**
 * Creates lanes that process records in parallel batches, as Lambda does. All changes to one item
 * go to the same lane and therefore stay in order.
 */
export function createLanes(options: LanesOptions): Lanes {
  const { parallelBatches, batchSize, stopping, process, save } = options;
  const lanes = Array.from({ length: parallelBatches }, () => ({
    queue: [] as StreamRecord[],
    isWorking: false,
  }));
  const progress = createProgress(save);
  const errors: unknown[] = [];
  let change = Promise.withResolvers<void>();

  const notify = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const work = async (lane: (typeof lanes)[number]) => {
    lane.isWorking = true;
    try {
      while (lane.queue.length > 0 && !stopping.aborted) {
        const batch = lane.queue.splice(0, batchSize);
        await process(batch);
        progress.setAll(batch.map((record) => ({ record, isProcessed: true })));
        notify();
      }
    } catch (error) {
      errors.push(error);
    } finally {
      lane.isWorking = false;
      notify();
    }
  };
  const countQueued = () => lanes.reduce((sum, { queue }) => sum + queue.length, 0);
  const maxQueued = batchesAhead * parallelBatches * batchSize;

  return {
    add: (records) => {
      for (const { record, isRelevant } of records)
        if (isRelevant) lanes[hashKeys(record) % parallelBatches]?.queue.push(record);
      progress.setAll(
        records.map(({ record, isRelevant }) => ({ record, isProcessed: !isRelevant })),
      );
      for (const lane of lanes) if (lane.queue.length > 0 && !lane.isWorking) void work(lane);
    },
    hasRoom: async () => {
      while (countQueued() > maxQueued && errors.length === 0 && !stopping.aborted)
        await change.promise;
      if (errors.length > 0) throw errors[0];
    },
    settled: async () => {
      while (lanes.some(({ isWorking }) => isWorking)) await change.promise;
    },
  };
}

function createProgress(save: LanesOptions['save']) {
  /**
   * Maps each unsaved record's sequence number, in stream order, to whether the record is
   * processed.
   */
  const progress = new Map<string, boolean>();
  return {
    setAll: (records: readonly { record: StreamRecord; isProcessed: boolean }[]) => {
      for (const { record, isProcessed } of records)
        progress.set(record.dynamodb.SequenceNumber, isProcessed);
      let last: string | undefined;
      for (const [sequenceNumber, isProcessed] of progress) {
        if (!isProcessed) break;
        progress.delete(sequenceNumber);
        last = sequenceNumber;
      }
      if (last !== undefined) save(last);
    },
  };
}

function hashKeys({ dynamodb }: StreamRecord): number {
  let hash = 0;
  for (const character of JSON.stringify(dynamodb.Keys) ?? '')
    hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  return hash;
}
