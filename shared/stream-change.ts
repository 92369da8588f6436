/** A record of the table's stream: an item before and after a change, absent without an item. */
export interface StreamChange {
  /** Identifies the record in its stream. */
  sequenceNumber: string;
  /** Unix seconds. */
  at: number;
  before?: unknown;
  after?: unknown;
}
