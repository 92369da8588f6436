import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { messageOf, Problem } from '../../lib/problem.ts';
import { credentialsPage, noCredentials, noRegion } from './aws-complaint.ts';

/**
 * The region of this terminal, once it is sure that there are credentials, too: both found as the AWS CLI finds them.
 * Throws a Problem that says in a line what to set.
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
