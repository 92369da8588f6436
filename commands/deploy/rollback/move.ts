import { type LambdaClient, UpdateAliasCommand } from '@aws-sdk/client-lambda';
import { messageOf } from '../../../lib/problem.ts';
import { awsComplaint } from '../../stage/aws-complaint.ts';
import type { DeployedFunction } from './deployed-functions.ts';

/** One function's way to another version. */
export interface Move {
  one: DeployedFunction;
  from: readonly number[];
  to: number;
}

/** Has all requests of each function go to its version, at once. Tells of each; gives how many could not be moved. */
export async function moveAll(
  lambda: LambdaClient,
  moves: readonly Move[],
  print: (line: string) => void,
): Promise<number> {
  let failed = 0;
  for (const { one, from, to } of moves) {
    try {
      await lambda.send(
        new UpdateAliasCommand({
          FunctionName: one.functionName,
          Name: one.alias,
          FunctionVersion: String(to),
          // Without it, new code that was being let in would go on getting its share.
          RoutingConfig: { AdditionalVersionWeights: {} },
        }),
      );
      print(`  ${one.id}: ${from.join(' and ')} → ${to}`);
    } catch (error) {
      failed += 1;
      print(
        `  ${one.id} stays at ${from.join(' and ')}: ${awsComplaint(error) ?? messageOf(error)}`,
      );
    }
  }
  return failed;
}
