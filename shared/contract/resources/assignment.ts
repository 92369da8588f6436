import * as v from 'valibot';
import { ContactId } from '../schema/field-types.ts';
import { flagNames } from './exclude.ts';

/** Words of the filter `assigned_to` that are not contact ids. */
export const callerWord = 'me';
export const noOneWord = 'nobody';

/** A contact id that the filter can find. */
export const Assignee = v.pipe(
  ContactId,
  v.check(
    (id) => id !== callerWord && id !== noOneWord,
    `must be a contact id, or null for no one: ${callerWord} and ${noOneWord} are words of the list only`,
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
