import * as v from 'valibot';
import { ContactId } from '../schema/field-types.ts';
import { flagNames } from './exclude.ts';

/** Values of the filter `assigned_to` that are not contact ids. */
export const callerKeyword = 'me';
export const unassignedKeyword = 'nobody';

/** Contact id to assign. Excludes the special values of the filter `assigned_to`. */
export const Assignee = v.pipe(
  ContactId,
  v.check(
    (id) => id !== callerKeyword && id !== unassignedKeyword,
    `must be a contact id, or null for no one: ${callerKeyword} and ${unassignedKeyword} are valid only in the list filter`,
  ),
);

type AssignmentQuery = {
  assigned_to?: string | undefined;
  contact_id?: string | undefined;
  muted?: boolean;
  archived?: boolean;
  pinned?: boolean;
  exclude?: readonly string[];
};

const rule = 'can be combined only with group_id';

/** Creates a check that rejects `assigned_to` with any filter other than `group_id`. */
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
