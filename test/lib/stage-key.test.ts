import { describe, expect, test } from '@jest/globals';
import { getStage } from '../../lib/stages.ts';
import { getTemplate } from '../support/template/get-template.ts';

const dev = getStage('dev');
const withKey = getTemplate('keyed', {
  ...dev,
  deploysGradually: true,
  keepsData: true,
  hasCustomerManagedKey: true,
});
const [keyId = ''] = Object.keys(withKey.findResources('AWS::KMS::Key'));
const ofType = (type: string) =>
  Object.values(withKey.findResources(type)).map(({ Properties }) => Properties);
const arn = { 'Fn::GetAtt': [keyId, 'Arn'] };

describe('A customer-managed key', () => {
  test('encrypts the table, all logs, all queues and all topics', () => {
    const [table] = ofType('AWS::DynamoDB::GlobalTable');
    expect(table.SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
    expect(table.Replicas[0].SSESpecification).toEqual({ KMSMasterKeyId: arn });
    for (const [type, property] of [
      ['AWS::Logs::LogGroup', 'KmsKeyId'],
      ['AWS::SQS::Queue', 'KmsMasterKeyId'],
      ['AWS::SNS::Topic', 'KmsMasterKeyId'],
    ] as const) {
      const found = ofType(type);
      expect(found.length).toBeGreaterThan(1);
      expect(found.map((properties) => properties[property])).toEqual(found.map(() => arn));
    }
  });

  test('rotates, and is retained when a stack that keeps its data is deleted', () => {
    withKey.hasResource('AWS::KMS::Key', {
      Properties: { EnableKeyRotation: true },
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
    });
  });

  test("can be used by the account's principals through DynamoDB, SQS and S3, by the stack's logs, and by alarms and EventBridge rules", () => {
    const [key] = ofType('AWS::KMS::Key');
    const [, ...statements] = key.KeyPolicy.Statement;
    expect(statements).toEqual([
      expect.objectContaining({
        Principal: { AWS: '*' },
        Condition: {
          StringEquals: {
            'kms:CallerAccount': { Ref: 'AWS::AccountId' },
            'kms:ViaService': ['dynamodb', 'sqs', 's3'].map((service) => ({
              'Fn::Join': ['', [`${service}.`, { Ref: 'AWS::Region' }, '.amazonaws.com']],
            })),
          },
        },
      }),
      expect.objectContaining({
        Effect: 'Deny',
        Action: 'kms:CreateGrant',
        Condition: {
          BoolIfExists: {
            'kms:GrantIsForAWSResource': 'false',
            'aws:PrincipalIsAWSService': 'false',
          },
        },
      }),
      expect.objectContaining({
        Principal: {
          Service: { 'Fn::Join': ['', ['logs.', { Ref: 'AWS::Region' }, '.amazonaws.com']] },
        },
        Condition: {
          ArnLike: {
            'kms:EncryptionContext:aws:logs:arn': {
              'Fn::Join': ['', expect.arrayContaining([':log-group:messaging-keyed-*'])],
            },
          },
        },
      }),
      expect.objectContaining({
        Principal: { Service: 'events.amazonaws.com' },
        Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      }),
      expect.objectContaining({
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      }),
      expect.objectContaining({
        Principal: { Service: 'events.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    ]);
  });

  test('requires no permissions in roles', () => {
    expect(JSON.stringify(ofType('AWS::IAM::Role'))).not.toContain('kms:');
  });

  test('does not exist in a stage that does not set the option', () => {
    const template = JSON.stringify(getTemplate('dev', dev).toJSON());
    expect(template).not.toContain('AWS::KMS::Key');
    expect(template).not.toContain('KmsMasterKeyId');
  });
});
