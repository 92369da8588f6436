import type { Stage } from '../../lib/stages.ts';

/** The context by which the command tells the CDK app. */
const key = 'atOnce';

/** Options of the CDK's command for a deployment without CodeDeploy, which lets nothing in while an alarm is raised. */
export const atOnceOptions = (atOnce: boolean): string[] => (atOnce ? ['-c', `${key}=true`] : []);

/** The stage as it is to be deployed, by what the CDK app was told. */
export const stageToDeploy = (stage: Stage, told: (key: string) => unknown): Stage =>
  told(key) === 'true' ? { ...stage, deploysGradually: false } : stage;
