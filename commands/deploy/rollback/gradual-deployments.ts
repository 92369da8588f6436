import {
  type CodeDeployClient,
  DeploymentAlreadyCompletedException,
  GetDeploymentCommand,
  paginateListDeployments,
  StopDeploymentCommand,
} from '@aws-sdk/client-codedeploy';
import { Problem } from '../../../lib/problem.ts';
import type { DeployedFunctions } from './deployed-functions.ts';

const maxPolls = 60;
const pauseMilliseconds = 2000;

export interface StopTools {
  codedeploy: CodeDeployClient;
  sleep(milliseconds: number): Promise<void>;
  print(line: string): void;
}

export async function findGradualDeployments(
  client: CodeDeployClient,
  { application, groups }: DeployedFunctions,
): Promise<string[]> {
  const found: string[] = [];
  if (application === undefined) return found;
  for (const deploymentGroupName of groups) {
    const pages = paginateListDeployments(
      { client },
      {
        applicationName: application,
        deploymentGroupName,
        includeOnlyStatuses: ['Created', 'Queued', 'InProgress', 'Baking', 'Ready'],
      },
    );
    for await (const { deployments = [] } of pages) found.push(...deployments);
  }
  return found;
}

/**
 * Stops deployments without rolling them back, and waits until they have ended, because a running
 * deployment would change its alias again. Throws a Problem if a deployment does not end within two
 * minutes.
 */
export async function stopDeployments(
  { codedeploy, sleep, print }: StopTools,
  deployments: readonly string[],
): Promise<void> {
  for (const deploymentId of deployments) {
    try {
      await codedeploy.send(
        new StopDeploymentCommand({ deploymentId, autoRollbackEnabled: false }),
      );
    } catch (error) {
      if (!(error instanceof DeploymentAlreadyCompletedException)) throw error;
    }
  }
  for (const deploymentId of deployments) {
    let status: string | undefined;
    for (let n = 0; n < maxPolls && !hasEnded(status); n++) {
      if (n > 0) await sleep(pauseMilliseconds);
      const { deploymentInfo } = await codedeploy.send(new GetDeploymentCommand({ deploymentId }));
      status = deploymentInfo?.status;
    }
    if (!hasEnded(status)) {
      throw new Problem(
        `CodeDeploy did not stop the deployment ${deploymentId} (${status}). The rollback moved no function; run this command again.`,
      );
    }
    print(`  ${deploymentId} has ended (${status})`);
  }
}

const hasEnded = (status: string | undefined) =>
  status === 'Stopped' || status === 'Failed' || status === 'Succeeded';
