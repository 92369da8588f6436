import type { Stage } from '../../lib/stages.ts';

/** The CDK context key that passes the option to the CDK app. */
const key = 'atOnce';

/**
 * Returns the options of `cdk deploy` for a deployment without CodeDeploy, which rejects
 * deployments while an alarm is active.
 */
export const atOnceOptions = (atOnce: boolean): string[] => (atOnce ? ['-c', `${key}=true`] : []);

/** Returns the stage to deploy, as changed by the CDK context. */
export const stageToDeploy = (stage: Stage, told: (key: string) => unknown): Stage =>
  told(key) === 'true' ? { ...stage, deploysGradually: false } : stage;
