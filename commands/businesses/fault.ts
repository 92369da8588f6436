/** What is wrong with a file of businesses, and where. */
export interface Fault {
  /** Of the file, from 1. */
  line: number;
  /** `work_time.monday.0.open.hour`; null when it is the record as a whole. */
  field: string | null;
  /** Half a sentence: must be … */
  reason: string;
}

/** As editors and terminals know to jump to it. */
export const faultText = (file: string, { line, field, reason }: Fault): string =>
  `${file}:${line}: ${field === null ? 'the record' : `'${field}'`} ${reason}.`;
