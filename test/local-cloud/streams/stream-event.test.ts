import type { _Record } from '@aws-sdk/client-dynamodb-streams';
import { expect, test } from '@jest/globals';
import { toStreamRecord } from '../../../local-cloud/streams/stream-event.ts';

/**
 * Recorded stream record of a TTL expiration. DynamoDB Local 3 expires items too rarely for a test.
 */
const recorded: _Record = JSON.parse(`{
  "eventID": "d0025df0-c2a2-4952-b21c-8552a19d628a",
  "eventName": "UNKNOWN_TO_SDK_VERSION",
  "eventVersion": "1.1",
  "eventSource": "aws:dynamodb",
  "awsRegion": "ddblocal",
  "dynamodb": {
    "Keys": { "pk": { "S": "a" } },
    "OldImage": { "pk": { "S": "a" }, "expires_at": { "N": "1795357722" } },
    "SequenceNumber": "000000000000000000002",
    "SizeBytes": 13,
    "StreamViewType": "NEW_AND_OLD_IMAGES"
  }
}`);

const now = Date.UTC(2026, 10, 22, 16, 45, 27, 800);

test('The record of a TTL expiration has the DynamoDB service’s user identity, and records of other removals have no user identity', () => {
  expect(toStreamRecord(recorded, 'arn', now)).toMatchObject({
    eventName: 'REMOVE',
    userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
    dynamodb: { Keys: { pk: { S: 'a' } }, OldImage: { expires_at: { N: '1795357722' } } },
  });
  const removed = toStreamRecord({ ...recorded, eventName: 'REMOVE' }, 'arn', now);
  expect(removed.eventName).toBe('REMOVE');
  expect(removed).not.toHaveProperty('userIdentity');
});

test('The timestamp of a change is the second in which the change is read, but at most the last second of its recorded minute', () => {
  const minute = Date.UTC(2026, 10, 22, 16, 45);
  const secondsAfter = (readAt: number) => {
    const dynamodb = { ...recorded.dynamodb, ApproximateCreationDateTime: new Date(minute) };
    const { ApproximateCreationDateTime } = toStreamRecord({ dynamodb }, 'arn', readAt).dynamodb;
    return ApproximateCreationDateTime - minute / 1000;
  };
  expect([now, minute + 60_100, minute + 3_600_000].map(secondsAfter)).toEqual([27, 59, 59]);
});
