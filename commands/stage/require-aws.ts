import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { Problem, toErrorMessage } from '../../lib/problem.ts';
import { credentialsPage, formatNoCredentials, noRegionText } from './aws-error-message.ts';

/**
 * Returns the AWS region, and checks that credentials exist. Reads both from the AWS SDK's default
 * sources. If the region or the credentials are missing, throws a Problem that names the setting to
 * add.
 */
export async function requireAws(): Promise<string> {
  const { config } = new CloudFormationClient();
  const region = await config.region().catch(() => undefined);
  const credentialError = await config.credentials().then(
    () => undefined,
    (error) => formatNoCredentials(toErrorMessage(error)),
  );
  if (region !== undefined && credentialError === undefined) return region;
  const missing = [region === undefined ? noRegionText : undefined, credentialError];
  throw new Problem([...missing.filter(Boolean), credentialsPage].join(' '));
}
