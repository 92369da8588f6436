import { type ErrorCode, errorCatalog } from '../../shared/contract/errors.ts';

const isErrorCode = (word: string): word is ErrorCode => Object.hasOwn(errorCatalog, word);

/** All codes, in the order of the catalog. */
export const errorCodes: ErrorCode[] = Object.keys(errorCatalog).filter(isErrorCode);

/** Codes grouped by their status, lowest first; each group in the order of the catalog. */
export function codesByStatus(codes: readonly ErrorCode[]): [status: number, codes: ErrorCode[]][] {
  const ordered = errorCodes.filter((code) => codes.includes(code));
  const groups = Map.groupBy(ordered, (code) => errorCatalog[code].status);
  return [...groups].sort(([one], [other]) => one - other);
}
