import type { Decide } from './iam-roles.ts';

/** Owner of an access key, and the permissions of its role. */
export interface Caller {
  functionId: string;
  /** ARN of the role session, as in AWS's messages. */
  session: string;
  decide: Decide;
}

/** Callers by access key. */
export type Callers = ReadonlyMap<string, Caller>;

/** Secret key of all callers, whose access keys alone identify them. */
export const secretAccessKey = 'local';
