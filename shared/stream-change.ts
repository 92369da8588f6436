/**
 * A record of the table's stream: the item before and after a change, each absent if there was
 * none.
 */
export interface StreamChange {
  /** Identifies the record in its stream. */
  sequenceNumber: string;
  /** Unix seconds. */
  at: number;
  before?: unknown;
  after?: unknown;
}
