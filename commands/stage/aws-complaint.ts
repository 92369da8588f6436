import { isError } from '../../lib/problem.ts';

/** Where to read of credentials. */
export const credentialsPage = 'See docs/deploy.md#2-credentials.';

export const noRegion =
  'There is no AWS region: set AWS_REGION, as in `export AWS_REGION=eu-central-1`.';

export const noCredentials = (why: string) =>
  `There are no AWS credentials: set AWS_PROFILE, as in \`export AWS_PROFILE=acme-staging\`, or sign in with \`aws sso login\` (${why.replace(/\.$/, '')}).`;

/** What AWS says of credentials that it does not, or no longer, know. */
const outOfDate =
  /^(ExpiredToken|ExpiredTokenException|RequestExpired|InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch|AuthFailure)$/;

const unreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH/;

/** A line for what AWS refuses, or the way to it; undefined for any other error. */
export function awsComplaint(error: unknown): string | undefined {
  if (!isError(error)) return undefined;
  const { name, message } = error;
  if (name === 'CredentialsProviderError' || name === 'TokenProviderError') {
    return `${noCredentials(message)} ${credentialsPage}`;
  }
  if (!('$metadata' in error)) return undefined;
  if (name === 'TimeoutError' || unreachable.test(message)) {
    return `AWS cannot be reached (${message}): is AWS_REGION right, and this machine connected?`;
  }
  return outOfDate.test(name)
    ? `AWS does not take these credentials (${name}: ${message}): renew them. ${credentialsPage}`
    : `AWS refuses (${name}): ${message}`;
}
