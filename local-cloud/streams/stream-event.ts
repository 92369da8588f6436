import type { _Record } from '@aws-sdk/client-dynamodb-streams';
import { region } from '../account.ts';

/** A change to an item, in the format of Lambda's events. */
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

/** Converts an SDK record to Lambda's JSON format. `now` is in milliseconds since 1970. */
export function toStreamRecord(record: _Record, streamArn: string, now: number): StreamRecord {
  const { Keys, NewImage, OldImage, ...change } = record.dynamodb ?? {};
  const { eventName = '' } = record;
  const isExpiry = eventName === expiryEventName;
  return {
    eventID: record.eventID ?? '',
    eventName: isExpiry ? 'REMOVE' : eventName,
    eventVersion: record.eventVersion ?? '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    eventSourceARN: streamArn,
    ...(isExpiry && { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } }),
    dynamodb: {
      ApproximateCreationDateTime: toSeconds(change.ApproximateCreationDateTime, now),
      SequenceNumber: change.SequenceNumber ?? '',
      SizeBytes: change.SizeBytes ?? 0,
      StreamViewType: change.StreamViewType ?? '',
      ...(Keys && { Keys: toJson(Keys) }),
      ...(NewImage && { NewImage: toJson(restoreEmptyMaps(NewImage)) }),
      ...(OldImage && { OldImage: toJson(restoreEmptyMaps(OldImage)) }),
    },
  };
}

/**
 * Estimates the timestamp of a change in seconds since 1970. DynamoDB Local rounds timestamps down
 * to the minute, so the estimate is the last second of that minute, or `now` if `now` is earlier.
 */
const toSeconds = (minute: Date | undefined, now: number): number =>
  Math.floor(Math.min(now, (minute?.getTime() ?? now) + 59_000) / 1000);

/**
 * The event name that the SDK returns for an expiry in DynamoDB Local. Unlike in DynamoDB, the
 * record of an expiry does not contain the identity of the TTL service.
 *
 * @see
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html
 */
const expiryEventName: string = 'UNKNOWN_TO_SDK_VERSION';

/** Restores empty maps, which DynamoDB Local omits from its streams. */
const restoreEmptyMaps = (image: object): object =>
  Object.fromEntries(
    Object.entries(image).map(([name, value]) => [
      name,
      Object.keys(value).length === 0 ? { M: {} } : value,
    ]),
  );

const toJson = (image: unknown): unknown =>
  JSON.parse(
    JSON.stringify(image, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    ),
  );
