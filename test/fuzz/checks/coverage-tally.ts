import { errorCatalog } from '../../../shared/contract/errors.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { getFieldNames } from '../../response-invariants/schema-fields.ts';

/** How often each operation gave each answer. */
export function createTally() {
  const counts = new Map<string, Map<number, number>>();
  const attempts = new Set<string>();
  return {
    /** Somebody has named another’s secret thing to the operation. */
    attempted: ({ id }: Operation): void => {
      attempts.add(id);
    },
    wasAttempted: ({ id }: Operation): boolean => attempts.has(id),
    count: (row: Operation | undefined, status: number): void => {
      const id = row?.id ?? 'elsewhere';
      const statuses = counts.get(id) ?? new Map<number, number>();
      counts.set(id, statuses.set(status, (statuses.get(status) ?? 0) + 1));
    },
    of: (id: string, status: number): number => counts.get(id)?.get(status) ?? 0,
    table: (): string =>
      [...counts]
        .map(([id, statuses]) => {
          const told = [...statuses]
            .sort(([a], [b]) => a - b)
            .map(([status, n]) => `${status}: ${n}`);
          return `${id.padEnd(24)}${told.join('  ')}`;
        })
        .sort()
        .join('\n'),
  };
}

export type Tally = ReturnType<typeof createTally>;

/** Whether an operation is told which thing is meant, so that it can be told of one that is not the caller's. */
export const hasIdParameters = ({ pathParameters, query, body }: Operation): boolean =>
  [query, body].flatMap(getFieldNames).some((name) => /^(conversation|message)_id$/.test(name)) ||
  getFieldNames(pathParameters).length > 0;

/** Only two requests that meet by chance give the one, and a message to which a thousand have reacted the other. */
const rare = ['request_in_progress', 'reactions_full'];

/** All that an operation can answer by the contract, other than that the service is down or busy. */
export const expectedStatuses = (row: Operation): number[] => [
  ...new Set([
    row.status,
    401,
    ...(row.versioned && row.method === 'GET' ? [304] : []),
    ...row.errors.flatMap((code) => (rare.includes(code) ? [] : [errorCatalog[code].status])),
  ]),
];
