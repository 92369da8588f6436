/**
 * A record of the table's stream. `before` and `after` are states of the item; a state is absent if
 * the item did not exist.
 */
export interface StreamChange {
  sequenceNumber: string;
  /** Unix seconds. */
  at: number;
  before?: unknown;
  after?: unknown;
}
