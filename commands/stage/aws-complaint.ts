import { isError } from '../../lib/problem.ts';

/** The documentation of credentials. */
export const credentialsPage = 'See docs/deploy.md#2-credentials.';

export const noRegion =
  'No AWS region is set: set AWS_REGION, as in `export AWS_REGION=eu-central-1`.';

export const noCredentials = (why: string) =>
  `No AWS credentials found: set AWS_PROFILE, as in \`export AWS_PROFILE=acme-staging\`, or sign in with \`aws sso login\` (${why.replace(/\.$/, '')}).`;

/** Names of AWS errors for unknown or expired credentials. */
const outOfDate =
  /^(ExpiredToken|ExpiredTokenException|RequestExpired|InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch|AuthFailure)$/;

const unreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH/;

/**
 * Returns a one-line message for an error of AWS or of the connection to it; undefined for other
 * errors.
 */
export function awsComplaint(error: unknown): string | undefined {
  if (!isError(error)) return undefined;
  const { name, message } = error;
  if (name === 'CredentialsProviderError' || name === 'TokenProviderError') {
    return `${noCredentials(message)} ${credentialsPage}`;
  }
  if (!('$metadata' in error)) return undefined;
  if (name === 'TimeoutError' || unreachable.test(message)) {
    return `Cannot reach AWS (${message}): check AWS_REGION and the network connection.`;
  }
  return outOfDate.test(name)
    ? `AWS rejected the credentials (${name}: ${message}): renew them. ${credentialsPage}`
    : `AWS rejected the request (${name}): ${message}`;
}
