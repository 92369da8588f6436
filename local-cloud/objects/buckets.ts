import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import type { Stack } from '../stack/read-stack.ts';

const CorsRule = v.strictObject({
  AllowedHeaders: v.optional(v.array(v.string()), []),
  AllowedMethods: v.array(v.string()),
  AllowedOrigins: v.array(v.string()),
  ExposedHeaders: v.optional(v.array(v.string()), []),
  MaxAge: v.optional(v.number()),
});
export type CorsRule = v.InferOutput<typeof CorsRule>;

/** Bucket properties that the local cloud reads. It ignores all other properties. */
const BucketProperties = v.object({
  CorsConfiguration: v.optional(v.strictObject({ CorsRules: v.array(CorsRule) }), {
    CorsRules: [],
  }),
  NotificationConfiguration: v.optional(
    v.strictObject({
      EventBridgeConfiguration: v.strictObject({ EventBridgeEnabled: v.boolean() }),
    }),
  ),
});

const Text = v.union([v.string(), v.array(v.string())]);
const BucketPolicyProperties = v.strictObject({
  Bucket: v.string(),
  PolicyDocument: v.object({
    Statement: v.array(
      v.strictObject({
        Sid: v.optional(v.string()),
        Effect: v.picklist(['Allow', 'Deny']),
        Principal: v.unknown(),
        Action: Text,
        Resource: Text,
        Condition: v.optional(v.record(v.string(), v.record(v.string(), Text))),
      }),
    ),
  }),
});

export interface Bucket {
  name: string;
  arn: string;
  corsRules: readonly CorsRule[];
  /** Whether the bucket policy denies writes without `If-None-Match`. */
  deniesReplacing: boolean;
  publishesEvents: boolean;
}

/**
 * Returns the bucket that the stack's functions use: the one with CORS rules. Throws a Problem if
 * several buckets have CORS rules.
 */
export function findBucket(stack: Stack): Bucket | undefined {
  const policies = stack.resources('AWS::S3::BucketPolicy', BucketPolicyProperties);
  const buckets = stack
    .resources('AWS::S3::Bucket', BucketProperties)
    .filter(({ properties }) => properties.CorsConfiguration.CorsRules.length > 0);
  if (buckets.length > 1)
    throw new Problem('The local cloud supports only one bucket with CORS rules.');
  const [bucket] = buckets;
  if (!bucket) return undefined;
  const { ref: name, attributes, properties } = bucket;
  const denials = policies
    .filter(({ properties: { Bucket } }) => Bucket === name)
    .flatMap(({ properties: { PolicyDocument } }) => PolicyDocument.Statement)
    .filter(({ Effect, Action }) => Effect === 'Deny' && [Action].flat().includes('s3:PutObject'));
  return {
    name,
    arn: attributes.Arn ?? '',
    corsRules: properties.CorsConfiguration.CorsRules,
    publishesEvents:
      properties.NotificationConfiguration?.EventBridgeConfiguration.EventBridgeEnabled ?? false,
    deniesReplacing: denials.some(
      ({ Condition }) => Condition?.Null?.['s3:if-none-match'] === 'true',
    ),
  };
}
