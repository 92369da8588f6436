import { type ErrorCode, errorCodes, getStatuses } from '../../../shared/contract/errors.ts';

/**
 * Returns the codes grouped by status in ascending order; each group in the order of the catalog.
 */
export function groupCodesByStatus(
  codes: readonly ErrorCode[],
): [status: number, codes: ErrorCode[]][] {
  const ordered = errorCodes.filter((code) => codes.includes(code));
  const statuses = new Set(ordered.flatMap(getStatuses));
  return [...statuses]
    .sort((one, other) => one - other)
    .map((status) => [status, ordered.filter((code) => getStatuses(code).includes(status))]);
}
