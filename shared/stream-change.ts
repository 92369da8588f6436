/**
 * A record of the table's stream. `before` and `after` are the item, absent if it did not exist.
 */
export interface StreamChange {
  sequenceNumber: string;
  /** Unix seconds. */
  at: number;
  before?: unknown;
  after?: unknown;
}
