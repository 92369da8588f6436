import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { messageOf } from '../../lib/problem.ts';
import { getReservedConcurrency } from '../../lib/reserved-concurrency.ts';
import type { Stage } from '../../lib/stages.ts';
import { toAwsErrorMessage } from '../stage/aws-error-message.ts';

/**
 * Seconds for which a request occupies functions: an upper estimate that includes cold starts and
 * the authorizer.
 */
const secondsPerRequest = 0.1;

/** Concurrent executions that Lambda keeps unreserved in every account. */
const minUnreserved = 100;

/** Returns the number of concurrent executions at the stage's request limit. */
export const estimateConcurrency = ({ throttling }: Pick<Stage, 'throttling'>): number =>
  Math.ceil(throttling.burst * secondsPerRequest);

/**
 * Returns warnings if the account's Lambda concurrency limit is lower than the stage may need, or
 * could not be read. New accounts have a limit of ten; Lambda throttles requests above it.
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
        `The deployment of ${stageName} will fail: it reserves ${reserved} concurrent executions, ${minUnreserved} must remain, and the Lambda concurrency limit of this account is ${total}. See docs/runbook.md#new-account to request an increase.`,
      ];
    }
    if (free === undefined || free >= required) return [];
    return [
      `The Lambda concurrency limit of this account is ${free}, and ${stageName} may need ${required}: see docs/runbook.md#new-account to request an increase.`,
    ];
  } catch (error) {
    return [
      `Could not read the Lambda concurrency limit of this account; ${stageName} may need ${required}. ${toAwsErrorMessage(error) ?? messageOf(error)}`,
    ];
  }
}
