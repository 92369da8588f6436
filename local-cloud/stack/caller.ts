import type { Decide } from './iam-roles.ts';

/** Owner of an access key, with the permissions of the owner's role. */
export interface Caller {
  functionId: string;
  /** ARN of the role session, as in AWS's error messages. */
  session: string;
  decide: Decide;
}

/** Callers by access key. */
export type Callers = ReadonlyMap<string, Caller>;

/** Secret access key of all callers. Only the access key id identifies a caller. */
export const secretAccessKey = 'local';
