import { type ErrorCode, errorCatalog } from '../../../shared/contract/errors.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { getFieldNames } from '../../response-invariants/schema-fields.ts';

export function createTally() {
  const counts = new Map<string, Map<number, number>>();
  const attempts = new Set<string>();
  return {
    /** Records that a request to the operation contained the id of a confidential resource. */
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
          const counts = [...statuses]
            .sort(([a], [b]) => a - b)
            .map(([status, n]) => `${status}: ${n}`);
          return `${id.padEnd(24)}${counts.join('  ')}`;
        })
        .sort()
        .join('\n'),
  };
}

export type Tally = ReturnType<typeof createTally>;

const hasIdParameters = ({ pathParameters, query, body }: Operation): boolean =>
  [query, body].flatMap(getFieldNames).some((name) => /^(conversation|message)_id$/.test(name)) ||
  getFieldNames(pathParameters).length > 0;

/**
 * Errors that require concurrent requests, 1,000 reactions or group members, a block, a contact who
 * refuses groups, uploads of 1 GB, or 300 groups. The fuzzer avoids these cases.
 */
const rare: readonly ErrorCode[] = [
  ...(['request_in_progress', 'reactions_full', 'blocked', 'blocking'] as const),
  ...(['uploads_exceeded', 'group_full', 'groups_exceeded', 'not_addable'] as const),
];

/** Operations that return `not_allowed` only to erased people. The fuzzer erases no users. */
const refusesOnlyErased: readonly string[] = [
  ...['messages/send', 'conversations/update', 'settings/update'],
  ...['blocks/create', 'reports/create', 'attachments/create', 'groups/create'],
];

const isRare = ({ id }: Operation, code: ErrorCode): boolean =>
  rare.includes(code) || (code === 'not_allowed' && refusesOnlyErased.includes(id));

/**
 * Returns the expected statuses that the operation has not returned. Adds an entry if the operation
 * has an id parameter but has not received the id of a confidential resource.
 */
export const findMissing = (row: Operation, tally: Tally): string[] => [
  ...expectedStatuses(row)
    .filter((status) => tally.of(row.id, status) === 0)
    .map((status) => `${status}`),
  ...(hasIdParameters(row) && !tally.wasAttempted(row) ? ['attempt at confidential data'] : []),
];

const expectedStatuses = (row: Operation): number[] => [
  ...new Set([
    row.status,
    ...(row.redirects ? [302] : []),
    401,
    ...(row.versioned && row.method === 'GET' ? [304] : []),
    ...row.errors.flatMap((code) => (isRare(row, code) ? [] : [errorCatalog[code].status])),
  ]),
];
