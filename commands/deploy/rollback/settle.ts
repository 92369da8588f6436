import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { messageOf, Problem } from '../../../lib/problem.ts';
import { stackNameOf } from '../../../lib/stage-names.ts';
import { awsComplaint } from '../../stage/aws-complaint.ts';
import { deployedFunctions } from './deployed-functions.ts';
import { type Move, moveAll } from './move.ts';
import { servingVersions } from './serving.ts';

/**
 * Moves every function to the version of the stack after a deployment. CloudFormation compares only
 * templates, so it does not move a function that was rolled back if its code is unchanged since the
 * previous deployment. Throws a Problem if a function could not be moved. Missing read permissions
 * are only reported.
 */
export async function settle(stageName: string, print: (line: string) => void): Promise<void> {
  const again = `npm run rollback -- --stage ${stageName} --to deployed`;
  const lambda = new LambdaClient();
  const moves: Move[] = [];
  try {
    const { functions } = await deployedFunctions(
      new CloudFormationClient(),
      stackNameOf(stageName),
    );
    for (const one of functions) {
      const from = await servingVersions(lambda, one);
      const to = one.stackVersion;
      if (to !== undefined && (from[0] !== to || from.length > 1)) moves.push({ one, from, to });
    }
  } catch (error) {
    print(
      `Could not check whether every function runs the deployed code (${awsComplaint(error) ?? messageOf(error)}). If a function was rolled back before: ${again}`,
    );
    return;
  }
  if (moves.length === 0) return;
  print('These functions were rolled back before and now run the deployed code again:');
  if ((await moveAll(lambda, moves, print)) > 0) {
    throw new Problem(`Deployed, but some functions run other code: ${again}`);
  }
}
