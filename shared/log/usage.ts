/** What the invocation at hand has asked of the table so far: Lambda runs one at a time in an environment. */
export interface Usage {
  table_calls: number;
  /** Capacity units that the table and its indexes charged. */
  read_units: number;
  write_units: number;
}

export const usage: Usage = { table_calls: 0, read_units: 0, write_units: 0 };

export const resetUsage = (): void => {
  Object.assign(usage, { table_calls: 0, read_units: 0, write_units: 0 });
};
