import { ApiError } from '../../../client/src/index.ts';

export interface Failure {
  readonly title: string;
  readonly error: unknown;
}

/**
 * Runs an action and returns whether the action succeeded. If it fails, shows the failure in the
 * dialog.
 */
export type ChangeGroup = (title: string, action: () => Promise<unknown>) => Promise<boolean>;

const causes: Record<string, string> = {
  not_addable: 'This user cannot add this contact to groups.',
  last_owner: 'A group needs an owner. Make another member an owner first.',
  not_allowed: 'Your role does not allow that.',
  group_full: 'The group is full.',
  groups_exceeded: 'A contact is already a member of the maximum number of groups.',
};

/**
 * Returns a failure. The failure's title is the known cause or, if the cause is unknown, the given
 * title.
 */
export const toFailure = (title: string, error: unknown): Failure => ({
  title: (error instanceof ApiError && causes[error.code]) || title,
  error,
});
