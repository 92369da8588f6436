import { type ErrorCode, errorCodes, getStatuses } from '../../../shared/contract/errors.ts';

/** Groups codes by status, in ascending order of status. Each group keeps the catalog's order. */
export function groupCodesByStatus(
  codes: readonly ErrorCode[],
): [status: number, codes: ErrorCode[]][] {
  const ordered = errorCodes.filter((code) => codes.includes(code));
  const statuses = new Set(ordered.flatMap(getStatuses));
  return [...statuses]
    .sort((one, other) => one - other)
    .map((status) => [status, ordered.filter((code) => getStatuses(code).includes(status))]);
}
