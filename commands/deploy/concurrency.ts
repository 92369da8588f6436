import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { messageOf } from '../../lib/problem.ts';
import type { Stage } from '../../lib/stages.ts';
import { awsComplaint } from '../stage/aws-complaint.ts';

/** For how long a request has a function to itself: more than most take, starts and the authorizer included. */
const secondsOfARequest = 0.1;

/** So many functions are under way at once when as much is asked for as the stage lets through. */
export const functionsAtOnce = ({ throttling }: Pick<Stage, 'throttling'>): number =>
  Math.ceil(throttling.burst * secondsOfARequest);

/**
 * What to know, a sentence each, when the account lets fewer functions run at once than the stage may need: new accounts
 * have ten, and what is above is refused. That it could not be looked up is such a sentence, too.
 */
export async function concurrencyConcerns(
  lambda: LambdaClient,
  stageName: string,
  stage: Pick<Stage, 'throttling'>,
): Promise<string[]> {
  const needed = functionsAtOnce(stage);
  try {
    const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
    const free = AccountLimit?.UnreservedConcurrentExecutions;
    if (free === undefined || free >= needed) return [];
    return [
      `Lambda lets this account run ${free} functions at once, and ${stageName} may need ${needed}: docs/runbook.md#new-account tells how to ask for more.`,
    ];
  } catch (error) {
    return [
      `How many functions Lambda lets this account run at once could not be looked up; ${stageName} may need ${needed}. ${awsComplaint(error) ?? messageOf(error)}`,
    ];
  }
}
