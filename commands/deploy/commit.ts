/** The context by which the command tells the CDK app. */
const key = 'commit';

/** Options of the CDK's command by which the stack has the commit among its outputs. */
export const commitOptions = (commit: string | undefined): string[] =>
  commit === undefined ? [] : ['-c', `${key}=${commit}`];

/** What the CDK app was told of it: undefined of a synthesis that is not to be deployed. */
export function reportedCommit(told: (key: string) => unknown): string | undefined {
  const commit = told(key);
  return typeof commit === 'string' ? commit : undefined;
}
