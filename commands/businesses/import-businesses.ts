import type { StageTable } from '../stage/table.ts';
import { checkRecords } from './check-records.ts';
import type { Fault } from './fault.ts';
import { type Saved, saveBusinesses } from './save-businesses.ts';
import { recordsOf } from './source-records.ts';
import { readSource } from './source-text.ts';

export interface Import {
  /** JSON or NDJSON, in UTF-8. */
  file: string;
  table: StageTable;
  /** Store the records that are right although others are not. */
  skipInvalid?: boolean;
  onProgress?: (done: number, all: number) => void;
}

/** What has come of it; nothing was saved when there are faults that were not to be skipped. */
export type Imported = { faults: Fault[]; saved: Saved | undefined };

/** Stores the businesses of a file, once all of them are found right. To do it again changes nothing. */
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
