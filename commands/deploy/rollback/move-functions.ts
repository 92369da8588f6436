import { type LambdaClient, UpdateAliasCommand } from '@aws-sdk/client-lambda';
import { toErrorMessage } from '../../../lib/problem.ts';
import { toAwsErrorMessage } from '../../stage/aws-error-message.ts';
import type { DeployedFunction } from './deployed-functions.ts';

export interface FunctionMove {
  deployed: DeployedFunction;
  from: readonly number[];
  to: number;
}

/**
 * Routes all invocations of each function to its target version immediately. Prints each result.
 * Returns the number of failures.
 */
export async function moveFunctions(
  lambda: LambdaClient,
  moves: readonly FunctionMove[],
  print: (line: string) => void,
): Promise<number> {
  let failed = 0;
  for (const { deployed, from, to } of moves) {
    try {
      await lambda.send(
        new UpdateAliasCommand({
          FunctionName: deployed.functionName,
          Name: deployed.alias,
          FunctionVersion: String(to),
          // Without an empty map, the new version of a gradual deployment would still receive some
          // requests.
          RoutingConfig: { AdditionalVersionWeights: {} },
        }),
      );
      print(`  ${deployed.id}: ${from.join(' and ')} → ${to}`);
    } catch (error) {
      failed += 1;
      print(
        `  ${deployed.id} stays at ${from.join(' and ')}: ${toAwsErrorMessage(error) ?? toErrorMessage(error)}`,
      );
    }
  }
  return failed;
}
