import type { StageTable } from '../stage/table.ts';
import { checkRecords } from './check-records.ts';
import type { Fault } from './fault.ts';
import { type Saved, saveBusinesses } from './save-businesses.ts';
import { recordsOf } from './source-records.ts';
import { readSource } from './source-text.ts';

export interface Import {
  /** A JSON or NDJSON file in UTF-8. */
  file: string;
  table: StageTable;
  /** Stores the valid records even if other records have faults. */
  skipInvalid?: boolean;
  onProgress?: (done: number, all: number) => void;
}

/** The result. If there are faults and `skip` is not set, nothing was saved. */
export type Imported = { faults: Fault[]; saved: Saved | undefined };

/** Stores the businesses of a file after validating all of them. Idempotent. */
export async function importBusinesses(given: Import): Promise<Imported> {
  const { file, table, skipInvalid = false, onProgress } = given;
  const source = recordsOf(await readSource(file));
  const { businesses, faults: unfit } = checkRecords(source.records);
  const faults = [...source.faults, ...unfit].sort((a, b) => a.line - b.line);
  if (faults.length > 0 && !skipInvalid) return { faults, saved: undefined };
  const saved = await saveBusinesses(table, businesses, (done) =>
    onProgress?.(done, businesses.length),
  );
  return { faults, saved };
}
