import { describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { getStage } from '../../lib/stages.ts';
import { getTemplate } from '../support/template/get-template.ts';
import { testStages } from '../support/template/stage-variants.ts';

const Resource = v.looseObject({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), v.unknown()), {}),
  DeletionPolicy: v.optional(v.string()),
  UpdateReplacePolicy: v.optional(v.string()),
});
const resourcesIn = (template: Template) =>
  v.parse(v.record(v.string(), Resource), template.toJSON().Resources);

/** Deployed properties. CloudFormation replaces a resource if one of these properties changes. */
const deployed = {
  'AWS::DynamoDB::GlobalTable': {
    id: 'TableCD117FA1',
    TableName: undefined,
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    LocalSecondaryIndexes: undefined,
  },
  'AWS::Cognito::UserPool': {
    id: 'UserPool6BA7E5F2',
    UsernameAttributes: undefined,
    AliasAttributes: ['email'],
    UsernameConfiguration: { CaseSensitive: false },
  },
  'AWS::Cognito::UserPoolClient': {
    id: 'UserPoolClient43258C81',
    GenerateSecret: false,
    UserPoolId: { Ref: 'UserPool6BA7E5F2' },
  },
};

/** Key attributes of the deployed indexes, which CloudFormation cannot change. */
const deployedIndexes = {
  gsi1: { gsi1pk: 'S', activity: 'S' },
  gsi2: { gsi2pk: 'S', activity: 'S' },
  gsi3: { gsi3pk: 'S', gsi3sk: 'S' },
};

const prod = resourcesIn(getTemplate('prod', getStage('prod')));

describe('Prod keeps the immutable properties of', () => {
  test.each(Object.entries(deployed))('%s', (type, { id, ...properties }) => {
    const found = Object.entries(prod).filter(([, { Type }]) => Type === type);
    const now = found.map(([name, { Properties }]) => ({
      id: name,
      ...Object.fromEntries(Object.keys(properties).map((key) => [key, Properties[key]])),
    }));
    explainFailure(
      `CloudFormation would replace the ${type} that contains prod's data with an empty one. This change needs a migration: see docs/recovery.md for moving a stage to another table. Update this test only after the migration.`,
      () => expect(now).toEqual([{ id, ...properties }]),
    );
  });

  test('the indexes: their names and key attributes', () => {
    const { AttributeDefinitions, GlobalSecondaryIndexes } = v.parse(
      Table,
      prod[deployed['AWS::DynamoDB::GlobalTable'].id]?.Properties,
    );
    const types = new Map(
      AttributeDefinitions.map(({ AttributeName, AttributeType }) => [
        AttributeName,
        AttributeType,
      ]),
    );
    const indexes = GlobalSecondaryIndexes.map(({ IndexName, KeySchema }) => [
      IndexName,
      Object.fromEntries(
        KeySchema.map(({ AttributeName }) => [AttributeName, types.get(AttributeName)]),
      ),
    ]);
    explainFailure(
      'CloudFormation cannot change the key of an index, and each deployment can create or remove only one index. A new index takes hours to fill. Add an index with a new name and deploy. Use the new index in the code and deploy. Then remove the old index and deploy. Update this test each time.',
      () => expect(Object.fromEntries(indexes)).toEqual(deployedIndexes),
    );
  });
});

const Key = v.object({ AttributeName: v.string() });
const Table = v.looseObject({
  AttributeDefinitions: v.array(v.object({ ...Key.entries, AttributeType: v.string() })),
  GlobalSecondaryIndexes: v.array(
    v.looseObject({ IndexName: v.string(), KeySchema: v.array(Key) }),
  ),
});

function explainFailure(explanation: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw new Error(`${explanation}\n\n${error instanceof Error ? error.message : error}`);
  }
}

const holdsData = [...Object.keys(deployed), 'AWS::Logs::LogGroup'];

test('Prod retains its data', () => {
  expect(getStage('prod').keepsData).toBe(true);
});

describe.each(testStages)('In stage %s', (name, stage) => {
  const resources = resourcesIn(getTemplate(name, stage));
  const retained = Object.values(resources).filter(({ Type }) => holdsData.includes(Type));

  test(
    stage.keepsData
      ? 'CloudFormation retains a resource with data if the resource is replaced or leaves the stack'
      : 'CloudFormation deletes a resource with data if the resource is replaced or leaves the stack',
    () => {
      const policy = stage.keepsData ? 'Retain' : 'Delete';
      expect(retained.length).toBeGreaterThan(14);
      for (const { Type, DeletionPolicy, UpdateReplacePolicy } of retained) {
        expect([Type, DeletionPolicy, UpdateReplacePolicy]).toEqual([Type, policy, policy]);
      }
    },
  );

  test('function versions are retained for rollback, except new versions of a failed deployment', () => {
    const versions = Object.values(resources).filter(({ Type }) => Type === 'AWS::Lambda::Version');
    expect(versions.length).toBeGreaterThan(12);
    for (const { DeletionPolicy, UpdateReplacePolicy } of versions) {
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
    }
  });

  test(
    stage.keepsData
      ? 'the table and the user pool are protected from deletion'
      : 'the table and the user pool can be deleted',
    () => {
      for (const { Type, Properties } of retained) {
        if (Type === 'AWS::DynamoDB::GlobalTable') {
          expect(Properties.Replicas).toEqual([
            expect.objectContaining({
              DeletionProtectionEnabled: stage.keepsData,
              PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
            }),
          ]);
        }
        if (Type === 'AWS::Cognito::UserPool') {
          expect(Properties.DeletionProtection).toBe(stage.keepsData ? 'ACTIVE' : 'INACTIVE');
        }
      }
    },
  );
});
