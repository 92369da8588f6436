/** The CDK context key that passes the commit to the CDK app. */
const key = 'commit';

/** Returns the options of `cdk deploy` that add the commit to the stack's outputs. */
export const commitOptions = (commit: string | undefined): string[] =>
  commit === undefined ? [] : ['-c', `${key}=${commit}`];

/** Returns the commit passed to the CDK app; undefined for a synthesis without deployment. */
export function reportedCommit(told: (key: string) => unknown): string | undefined {
  const commit = told(key);
  return typeof commit === 'string' ? commit : undefined;
}
