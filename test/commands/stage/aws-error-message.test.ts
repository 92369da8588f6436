import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { describe, expect, test } from '@jest/globals';
import { toAwsErrorMessage } from '../../../commands/stage/aws-error-message.ts';

const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
const error = (name: string, message: string, more: object = { $metadata: {} }) =>
  Object.assign(new Error(message), { name, ...more });
const page = 'See docs/deploy.md#2-credentials.';

describe('The one-line message', () => {
  test.each([
    [
      error('AccessDeniedException', 'not you'),
      'AWS rejected the request (AccessDeniedException): not you',
    ],
    [
      error('ExpiredToken', 'It has expired.'),
      `AWS rejected the credentials (ExpiredToken: It has expired.): renew them. ${page}`,
    ],
    [
      error('CredentialsProviderError', 'The SSO session has expired.', {}),
      `No AWS credentials found: set AWS_PROFILE, as in \`export AWS_PROFILE=acme-staging\`, or sign in with \`aws sso login\` (The SSO session has expired). ${page}`,
    ],
    [
      error('TimeoutError', 'too long'),
      'Cannot reach AWS (too long): check AWS_REGION and the network connection.',
    ],
  ])('explains the AWS error %p', (thrown, expected) => {
    expect(toAwsErrorMessage(thrown)).toBe(expected);
  });

  test('explains a refused connection that the SDK reports', async () => {
    const endpoint = 'http://127.0.0.1:9';
    const client = new CloudFormationClient({ endpoint, credentials, maxAttempts: 1 });
    const thrown = await client.send(new DescribeStacksCommand({})).catch((one) => one);
    expect(toAwsErrorMessage(thrown)).toMatch(/^Cannot reach AWS \(.+\): check AWS_REGION/);
  });

  test.each([[new Error('ours')], ['a text'], [undefined]])(
    'is undefined for other errors: %p',
    (thrown) => {
      expect(toAwsErrorMessage(thrown)).toBeUndefined();
    },
  );
});
