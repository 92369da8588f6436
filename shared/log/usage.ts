export interface Usage {
  table_calls: number;
  /** Capacity units consumed by the table and its indexes. */
  read_units: number;
  write_units: number;
}

export const usage: Usage = { table_calls: 0, read_units: 0, write_units: 0 };

export const resetUsage = (): void => {
  Object.assign(usage, { table_calls: 0, read_units: 0, write_units: 0 });
};
