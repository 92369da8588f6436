import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import type { Caller } from '../stage/place.ts';

/**
 * CloudFormation by the role that the CDK deploys with, which whoever deploys may take on, though they may do little
 * themselves; by their own permissions where they may not.
 */
export async function deployClient({
  account,
  region,
  who,
}: Caller): Promise<CloudFormationClient> {
  const partition = who.split(':')[1] ?? 'aws';
  const command = new AssumeRoleCommand({
    RoleArn: `arn:${partition}:iam::${account}:role/cdk-hnb659fds-deploy-role-${account}-${region}`,
    RoleSessionName: 'messaging-deploy',
  });
  const reply = await new STSClient().send(command).catch(() => undefined);
  const { AccessKeyId, SecretAccessKey, SessionToken } = reply?.Credentials ?? {};
  if (AccessKeyId === undefined || SecretAccessKey === undefined) return new CloudFormationClient();
  return new CloudFormationClient({
    credentials: {
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      ...(SessionToken !== undefined && { sessionToken: SessionToken }),
    },
  });
}
