import type { StageTable } from '../stage/stage-table.ts';
import { checkRecords } from './check-records.ts';
import type { Fault } from './fault.ts';
import { parseRecords } from './parse-records.ts';
import { type Saved, saveBusinesses } from './save-businesses.ts';
import { readSource } from './source-text.ts';

export interface ImportOptions {
  /** A JSON or NDJSON file in UTF-8. */
  file: string;
  table: StageTable;
  /** Stores the valid records even if other records are invalid. */
  skipInvalid?: boolean;
  onProgress?: (stored: number, total: number) => void;
}

/** If there are faults and `skipInvalid` is not set, nothing is stored and `saved` is undefined. */
export type ImportResult = { faults: Fault[]; saved: Saved | undefined };

/** Validates all businesses of a file, then stores them. Idempotent. */
export async function importBusinesses(options: ImportOptions): Promise<ImportResult> {
  const { file, table, skipInvalid = false, onProgress } = options;
  const source = parseRecords(await readSource(file));
  const { businesses, faults: invalid } = checkRecords(source.records);
  const faults = [...source.faults, ...invalid].sort((a, b) => a.line - b.line);
  if (faults.length > 0 && !skipInvalid) return { faults, saved: undefined };
  const saved = await saveBusinesses(table, businesses, (stored) =>
    onProgress?.(stored, businesses.length),
  );
  return { faults, saved };
}
