import type { Decide } from './iam.ts';

/** Who has an access key, and what that one's role allows. */
export interface Caller {
  functionId: string;
  /** The ARN of the role session, as AWS's messages name it. */
  session: string;
  decide: Decide;
}

/** The callers by access key. */
export type Callers = ReadonlyMap<string, Caller>;

/** What goes with every access key here: nobody but the functions is told one. */
export const secretAccessKey = 'local';
