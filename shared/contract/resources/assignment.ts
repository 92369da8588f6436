import * as v from 'valibot';
import { flagNames } from './exclude.ts';

type AssignmentQuery = {
  assigned_to?: string | undefined;
  contact_id?: string | undefined;
  muted?: boolean;
  archived?: boolean;
  pinned?: boolean;
  exclude?: readonly string[];
};

const rule = 'must be combined with group_id only';

/** Rejects `assigned_to` together with filters of other lists. */
export const checkAssignmentConflicts = <Query extends AssignmentQuery>() =>
  v.rawCheck<Query>(({ dataset, addIssue }) => {
    const query: AssignmentQuery = dataset.typed ? dataset.value : {};
    const { assigned_to: value, contact_id, exclude = [] } = query;
    const isFiltered = flagNames.some((name) => query[name]) || exclude.length > 0;
    if (value === undefined || !(isFiltered || contact_id !== undefined)) return;
    const path = {
      type: 'object',
      origin: 'value',
      input: query,
      key: 'assigned_to',
      value,
    } as const;
    addIssue({ message: rule, path: [path] });
  });
