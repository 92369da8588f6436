import { isError } from '../../lib/problem.ts';

export const credentialsPage = 'See docs/deploy.md#2-credentials.';

export const noRegionText =
  'No AWS region is set: set AWS_REGION, as in `export AWS_REGION=eu-central-1`.';

export const formatNoCredentials = (reason: string) =>
  `No AWS credentials found: set AWS_PROFILE, as in \`export AWS_PROFILE=acme-staging\`, or sign in with \`aws sso login\` (${reason.replace(/\.$/, '')}).`;

/** Names of AWS errors for invalid or expired credentials. */
const credentialErrors =
  /^(ExpiredToken|ExpiredTokenException|RequestExpired|InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch|AuthFailure)$/;

const connectionErrors = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH/;

/**
 * Returns a one-line message for an AWS error or a failed connection to AWS; undefined for other
 * errors.
 */
export function toAwsErrorMessage(error: unknown): string | undefined {
  if (!isError(error)) return undefined;
  const { name, message } = error;
  if (name === 'CredentialsProviderError' || name === 'TokenProviderError') {
    return `${formatNoCredentials(message)} ${credentialsPage}`;
  }
  if (!('$metadata' in error)) return undefined;
  if (name === 'TimeoutError' || connectionErrors.test(message)) {
    return `Cannot reach AWS (${message}): check AWS_REGION and the network connection.`;
  }
  return credentialErrors.test(name)
    ? `AWS rejected the credentials (${name}: ${message}): renew them. ${credentialsPage}`
    : `AWS rejected the request (${name}): ${message}`;
}
