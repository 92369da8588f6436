import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { toErrorMessage } from '../../lib/problem.ts';
import { getReservedConcurrency } from '../../lib/reserved-concurrency.ts';
import type { Stage } from '../../lib/stages.ts';
import { toAwsErrorMessage } from '../stage/aws-error-message.ts';

/**
 * Upper estimate of the seconds that a request spends in functions, including cold starts and the
 * authorizer.
 */
const secondsPerRequest = 0.1;

/** Minimum number of unreserved concurrent executions that Lambda requires in every account. */
const minUnreserved = 100;

/** Returns the estimated concurrent executions for a burst of the stage's maximum size. */
export const estimateConcurrency = ({ throttling }: Pick<Stage, 'throttling'>): number =>
  Math.ceil(throttling.burst * secondsPerRequest);

/**
 * Returns a warning if the account's Lambda concurrency limit is too low for the stage or cannot be
 * read. New accounts have a limit of ten concurrent executions. Lambda throttles invocations above
 * the limit.
 */
export async function getConcurrencyWarnings(
  lambda: LambdaClient,
  stageName: string,
  stage: Pick<Stage, 'firewall' | 'throttling' | 'events' | 'attachments'>,
): Promise<string[]> {
  const required = estimateConcurrency(stage);
  try {
    const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
    const { UnreservedConcurrentExecutions: free, ConcurrentExecutions: total } =
      AccountLimit ?? {};
    const { listeners = 0, thumbnails = 0 } = getReservedConcurrency(stage);
    const reserved = listeners + thumbnails;
    if (reserved > 0 && total !== undefined && total < reserved + minUnreserved) {
      return [
        `The deployment of ${stageName} will fail: it reserves ${reserved} concurrent executions, ${minUnreserved} must stay unreserved, and the Lambda concurrency limit of this account is ${total}. See docs/runbook.md#new-account to request an increase.`,
      ];
    }
    if (free === undefined || free >= required) return [];
    return [
      `The Lambda concurrency limit of this account leaves ${free} unreserved executions, and ${stageName} may need ${required}: see docs/runbook.md#new-account to request an increase.`,
    ];
  } catch (error) {
    return [
      `Could not read the Lambda concurrency limit of this account. Check that it leaves ${required} unreserved executions for ${stageName}. ${toAwsErrorMessage(error) ?? toErrorMessage(error)}`,
    ];
  }
}
