import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { messageOf, Problem } from '../../../lib/problem.ts';
import { stackNameOf } from '../../../lib/stage-names.ts';
import { awsComplaint } from '../../stage/aws-complaint.ts';
import { deployedFunctions } from './deployed-functions.ts';
import { type Move, moveAll } from './move.ts';
import { servingVersions } from './serving.ts';

/**
 * After a deployment, has every function serve what the stack says: CloudFormation looks at its template alone, and so
 * leaves a function at the version that somebody took it back to, if its own code is the same as in the deployment before.
 * Throws a Problem when one could not be moved; that it may not look is only said.
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
      `Whether every function serves what was deployed could not be seen (${awsComplaint(error) ?? messageOf(error)}). If one was taken back before: ${again}`,
    );
    return;
  }
  if (moves.length === 0) return;
  print('These were taken back before, and serve what was deployed again:');
  if ((await moveAll(lambda, moves, print)) > 0) {
    throw new Problem(`Deployed, but not all of it serves: ${again}`);
  }
}
