/** The CDK context key that passes the commit to the CDK app. */
const contextKey = 'commit';

/** Returns the options of `cdk deploy` that add the commit to the stack's outputs. */
export const toCommitOptions = (commit: string | undefined): string[] =>
  commit === undefined ? [] : ['-c', `${contextKey}=${commit}`];

export function readCommitContext(getContext: (key: string) => unknown): string | undefined {
  const commit = getContext(contextKey);
  return typeof commit === 'string' ? commit : undefined;
}
