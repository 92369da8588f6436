import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { Problem, toErrorMessage } from '../../../lib/problem.ts';
import { toStackName } from '../../../lib/stage-names.ts';
import { toAwsErrorMessage } from '../../stage/aws-error-message.ts';
import { readDeployedFunctions } from './deployed-functions.ts';
import { type FunctionMove, moveFunctions } from './move-functions.ts';
import { readServingVersions } from './serving-versions.ts';

/**
 * Moves every function's alias to the version in the stack after a deployment. CloudFormation
 * compares only templates, so it does not move a rolled-back function whose code has not changed
 * since the previous deployment. If the versions cannot be read, prints a warning. Throws a Problem
 * if it cannot move an alias.
 */
export async function moveToStackVersions(
  stageName: string,
  print: (line: string) => void,
): Promise<void> {
  const rollbackCommand = `npm run rollback -- --stage ${stageName} --to deployed`;
  const lambda = new LambdaClient();
  const moves: FunctionMove[] = [];
  try {
    const { functions } = await readDeployedFunctions(
      new CloudFormationClient(),
      toStackName(stageName),
    );
    for (const deployed of functions) {
      const from = await readServingVersions(lambda, deployed);
      const to = deployed.stackVersion;
      if (to !== undefined && (from[0] !== to || from.length > 1))
        moves.push({ deployed, from, to });
    }
  } catch (error) {
    print(
      `Could not check whether every function runs the deployed code (${toAwsErrorMessage(error) ?? toErrorMessage(error)}). If a function was rolled back before the deployment, run: ${rollbackCommand}`,
    );
    return;
  }
  if (moves.length === 0) return;
  print('These functions were rolled back before. Moving them to the deployed code:');
  if ((await moveFunctions(lambda, moves, print)) > 0) {
    throw new Problem(
      `Deployed, but some functions run other code. To move them to the deployed code, run: ${rollbackCommand}`,
    );
  }
}
