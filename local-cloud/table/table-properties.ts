import * as v from 'valibot';

const KeySchema = v.array(
  v.strictObject({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) }),
);

const Index = v.strictObject({
  IndexName: v.string(),
  KeySchema,
  Projection: v.strictObject({
    ProjectionType: v.picklist(['ALL', 'KEYS_ONLY', 'INCLUDE']),
    NonKeyAttributes: v.optional(v.array(v.string())),
  }),
});

/**
 * Table properties that the local cloud accepts. The local cloud ignores the last three properties.
 */
export const TableProperties = v.strictObject({
  TableName: v.optional(v.string()),
  AttributeDefinitions: v.array(
    v.strictObject({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) }),
  ),
  KeySchema,
  GlobalSecondaryIndexes: v.optional(v.array(Index), []),
  BillingMode: v.literal('PAY_PER_REQUEST'),
  StreamSpecification: v.optional(
    v.strictObject({
      StreamViewType: v.picklist(['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']),
    }),
  ),
  TimeToLiveSpecification: v.optional(
    v.strictObject({ AttributeName: v.optional(v.string()), Enabled: v.boolean() }),
  ),
  Replicas: v.optional(v.unknown()),
  SSESpecification: v.optional(v.unknown()),
  WriteOnDemandThroughputSettings: v.optional(v.unknown()),
});
export type TableProperties = v.InferOutput<typeof TableProperties>;
