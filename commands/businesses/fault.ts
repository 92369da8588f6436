export interface Fault {
  /** Line in the file, counted from 1. */
  line: number;
  /** Path of the field, such as `work_time.monday.0.open.hour`; null for the whole record. */
  field: string | null;
  /** A predicate such as “must be …”. */
  reason: string;
}

/** Returns the fault as `file:line: …`, which editors and terminals recognize as a link. */
export const formatFault = (file: string, { line, field, reason }: Fault): string =>
  `${file}:${line}: ${field === null ? 'the record' : `'${field}'`} ${reason}.`;
