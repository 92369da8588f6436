import type { Stage } from '../../lib/stages.ts';

/** The CDK context key that requests an immediate deployment. */
const contextKey = 'atOnce';

/**
 * Returns the options of `cdk deploy` for a deployment without CodeDeploy, which rejects
 * deployments while an alarm is active.
 */
export const toImmediateOptions = (isImmediate: boolean): string[] =>
  isImmediate ? ['-c', `${contextKey}=true`] : [];

/**
 * Returns the stage, with gradual deployments disabled if the CDK context requests an immediate
 * deployment.
 */
export const applyDeployContext = (stage: Stage, getContext: (key: string) => unknown): Stage =>
  getContext(contextKey) === 'true' ? { ...stage, deploysGradually: false } : stage;
