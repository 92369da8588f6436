import { toErrorMessage } from '../../lib/problem.ts';
import { createEvent } from '../bus/create-event.ts';
import type { EventRules } from '../bus/event-rules.ts';
import type { Stack } from '../stack/read-stack.ts';
import type { Bucket } from './buckets.ts';
import { createMalwareScan } from './malware-scan.ts';
import type { ObjectStore } from './object-store.ts';

export interface UploadEventOptions {
  bucket: Bucket;
  store: ObjectStore;
  rules: EventRules;
  log(line: string): void;
}

/**
 * Returns a function that publishes an event for a stored object and scans the object, if the stack
 * configures events and scans. Unlike AWS, waits for the functions that receive the events, so that
 * the scan result and the thumbnail exist before the reply to the upload.
 */
export async function createUploadEvents(
  stack: Stack,
  { bucket, store, rules, log }: UploadEventOptions,
): Promise<(key: string) => Promise<void>> {
  const scan = await createMalwareScan(stack, { bucketName: bucket.name, store, rules, log });
  const publish = async (key: string) => {
    const { size = 0, sha256 = '', modifiedAt = 0 } = (await store.find(key)) ?? {};
    const event = createEvent({
      source: 'aws.s3',
      detailType: 'Object Created',
      resources: [bucket.arn],
      detail: {
        version: '0',
        bucket: { name: bucket.name },
        object: { key, size, etag: sha256 },
        reason: 'PutObject',
      },
      time: modifiedAt,
    });
    await Promise.all(rules.findTargets('default', event).map((target) => target(event))).catch(
      (error) => log(`The upload event of ${key} was not delivered: ${toErrorMessage(error)}`),
    );
  };
  return async (key) => {
    await Promise.all([scan?.(key), bucket.publishesEvents ? publish(key) : undefined]);
  };
}
