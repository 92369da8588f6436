import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import type { AwsIdentity } from '../stage/stage-location.ts';

/**
 * Returns a CloudFormation client with the CDK's deployment role, because the operator may lack
 * permissions for change sets. If the role cannot be assumed, uses the operator's credentials.
 */
export async function createDeployClient({
  account,
  region,
  arn,
}: AwsIdentity): Promise<CloudFormationClient> {
  const partition = arn.split(':')[1] ?? 'aws';
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
