import { Stack } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { removalPolicy } from './removal-policy.ts';

const id = 'Key';
const uses = ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*'];

/**
 * Creates the customer-managed key of the stage, if the settings require one. The table, the queues
 * and the bucket use the key on behalf of any principal of the account, so roles need no permission
 * for it. The key policy follows the developer guides of DynamoDB, CloudWatch Logs and SNS.
 */
export function createStageKey(stack: Stack, stage: Stage): void {
  if (!stage.hasCustomerManagedKey) return;
  const { account, region, partition, stackName } = stack;
  const key = new Key(stack, id, {
    alias: stackName,
    description: `Data of ${stackName}`,
    enableKeyRotation: true,
    removalPolicy: removalPolicy(stage),
  });
  const add = (statement: Omit<ConstructorParameters<typeof PolicyStatement>[0], 'resources'>) =>
    key.addToResourcePolicy(new PolicyStatement({ ...statement, resources: ['*'] }));
  add({
    sid: 'TableQueuesAndFiles',
    principals: [new AnyPrincipal()],
    actions: [...uses, 'kms:DescribeKey', 'kms:CreateGrant'],
    conditions: {
      StringEquals: {
        'kms:CallerAccount': account,
        'kms:ViaService': ['dynamodb', 'sqs', 's3'].map((one) => `${one}.${region}.amazonaws.com`),
      },
    },
  });
  add({
    sid: 'NoGrantsButOfServices',
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['kms:CreateGrant'],
    conditions: {
      BoolIfExists: { 'kms:GrantIsForAWSResource': 'false', 'aws:PrincipalIsAWSService': 'false' },
    },
  });
  add({
    sid: 'Logs',
    principals: [new ServicePrincipal(`logs.${region}.amazonaws.com`)],
    actions: [...uses, 'kms:Describe*'],
    conditions: {
      ArnLike: {
        'kms:EncryptionContext:aws:logs:arn': `arn:${partition}:logs:${region}:${account}:log-group:${stackName}-*`,
      },
    },
  });
  if (stage.attachments !== false) {
    // The queues' policies admit only the rules for scanned and stored files.
    add({
      sid: 'UndeliveredFileEvents',
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
    });
  }
  // The topics' policies accept only alarms of this account.
  add({
    sid: 'Alarms',
    principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
    actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
  });
}

/** Returns the customer-managed key of the stage; `undefined` if it has none. */
export function getStageKey(scope: Construct): IKey | undefined {
  const key = Stack.of(scope).node.tryFindChild(id);
  return key instanceof Key ? (key as IKey) : undefined;
}
