import type { _Record } from '@aws-sdk/client-dynamodb-streams';
import { region } from '../account.ts';

/** One change of an item, as a function gets it from Lambda. */
export interface StreamRecord {
  eventID: string;
  eventName: string;
  eventVersion: string;
  eventSource: string;
  awsRegion: string;
  eventSourceARN: string;
  userIdentity?: { type: string; principalId: string };
  dynamodb: {
    /** Unix seconds. */
    ApproximateCreationDateTime: number;
    SequenceNumber: string;
    SizeBytes: number;
    StreamViewType: string;
    Keys?: unknown;
    NewImage?: unknown;
    OldImage?: unknown;
  };
}

/** The SDK's record, as it is read now (in milliseconds), as JSON has it: times in seconds, bytes in base64. */
export function streamRecord(record: _Record, streamArn: string, now: number): StreamRecord {
  const { Keys, NewImage, OldImage, ...change } = record.dynamodb ?? {};
  const { eventName = '' } = record;
  const isExpiry = eventName === expiryOfDynamoDbLocal;
  return {
    eventID: record.eventID ?? '',
    eventName: isExpiry ? 'REMOVE' : eventName,
    eventVersion: record.eventVersion ?? '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    eventSourceARN: streamArn,
    ...(isExpiry && { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } }),
    dynamodb: {
      ApproximateCreationDateTime: secondsOf(change.ApproximateCreationDateTime, now),
      SequenceNumber: change.SequenceNumber ?? '',
      SizeBytes: change.SizeBytes ?? 0,
      StreamViewType: change.StreamViewType ?? '',
      ...(Keys && { Keys: plain(Keys) }),
      ...(NewImage && { NewImage: plain(whole(NewImage)) }),
      ...(OldImage && { OldImage: plain(whole(OldImage)) }),
    },
  };
}

/** DynamoDB says the second; DynamoDB Local the minute, rounded down: it was in that minute, and not after now. */
const secondsOf = (minute: Date | undefined, now: number): number =>
  Math.floor(Math.min(now, (minute?.getTime() ?? now) + 59_000) / 1000);

/**
 * What DynamoDB Local calls the removal of what has expired, and does not say who did it.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html
 */
const expiryOfDynamoDbLocal: string = 'UNKNOWN_TO_SDK_VERSION';

/** DynamoDB Local leaves out of its streams that an attribute is a map, where that is empty. */
const whole = (image: object): object =>
  Object.fromEntries(
    Object.entries(image).map(([name, value]) => [
      name,
      Object.keys(value).length === 0 ? { M: {} } : value,
    ]),
  );

const plain = (image: unknown): unknown =>
  JSON.parse(
    JSON.stringify(image, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    ),
  );
