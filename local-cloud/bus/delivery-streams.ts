import * as v from 'valibot';
import type { Stack } from '../stack/read-stack.ts';

const StreamProperties = v.object({
  ExtendedS3DestinationConfiguration: v.object({
    BucketARN: v.string(),
    ProcessingConfiguration: v.optional(
      v.object({ Enabled: v.boolean(), Processors: v.array(v.object({ Type: v.string() })) }),
    ),
  }),
});

/**
 * Returns the stack's Firehose delivery streams and their buckets, keyed by ARN. A stream stores
 * each record in memory immediately, without batching. A stream appends line breaks only if the
 * processor `AppendDelimiterToRecord` is enabled.
 */
export function createDeliveryStreams(stack: Stack) {
  const buckets = new Map<string, string[]>();
  const streams = new Map<string, (event: object) => void>();
  for (const { attributes, ref, properties } of stack.resources(
    'AWS::KinesisFirehose::DeliveryStream',
    StreamProperties,
  )) {
    const { BucketARN, ProcessingConfiguration } = properties.ExtendedS3DestinationConfiguration;
    const records = buckets.get(BucketARN) ?? [];
    buckets.set(BucketARN, records);
    const appendsLineBreak =
      ProcessingConfiguration?.Enabled &&
      ProcessingConfiguration.Processors.some(({ Type }) => Type === 'AppendDelimiterToRecord');
    const delimiter = appendsLineBreak ? '\n' : '';
    streams.set(attributes.Arn ?? ref, (event) => {
      records.push(`${JSON.stringify(event)}${delimiter}`);
    });
  }
  return { streams, buckets };
}
