import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { messageOf, Problem } from '../../lib/problem.ts';
import { credentialsPage, noCredentials, noRegion } from './aws-complaint.ts';

/**
 * Returns the AWS region after checking that credentials exist. Resolves both like the AWS CLI.
 * Throws a Problem that names the setting to add.
 */
export async function requireAws(): Promise<string> {
  const { config } = new CloudFormationClient();
  const region = await config.region().catch(() => undefined);
  const refusal = await config.credentials().then(
    () => undefined,
    (error) => noCredentials(messageOf(error)),
  );
  if (region !== undefined && refusal === undefined) return region;
  const missing = [region === undefined ? noRegion : undefined, refusal];
  throw new Problem([...missing.filter(Boolean), credentialsPage].join(' '));
}
