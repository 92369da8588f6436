import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { withDeadline } from '../shared/deadline.ts';
import { describeCause } from '../shared/log/describe-cause.ts';
import { beginInvocation } from '../shared/log/invocation.ts';
import { logInvocation } from '../shared/log/log-invocation.ts';
import {
  parseFileKey,
  toFileKey,
  toThumbnailKey,
} from '../shared/table/attachments/attachment-item.ts';
import { makeThumbnail } from '../shared/thumbnails/make-thumbnail.ts';

/**
 * Event for a stored or scanned file. The stage's rule passes only events for files that the stage
 * serves.
 */
const FileEvent = v.object({
  detail: v.union([
    v.object({ object: v.object({ key: v.string() }) }),
    v.object({ s3ObjectDetails: v.object({ objectKey: v.string() }) }),
  ]),
});

/** Milliseconds reserved for the log line. */
const reservedMilliseconds = 1500;

/**
 * Creates the thumbnail of an uploaded image. If this function throws, Lambda retries the event.
 */
export async function handler(event: unknown, context: Context): Promise<void> {
  beginInvocation();
  const logOutcome = (facts: Record<string, unknown>, fault = false) =>
    logInvocation(context, { operation: 'thumbnails', ...facts, fault });
  try {
    const milliseconds = context.getRemainingTimeInMillis() - reservedMilliseconds;
    logOutcome(await withDeadline(milliseconds, () => createThumbnail(v.parse(FileEvent, event))));
  } catch (error) {
    logOutcome({ cause: describeCause(error) }, true);
    throw error;
  }
}

async function createThumbnail({ detail }: v.InferOutput<typeof FileEvent>) {
  const key = 'object' in detail ? detail.object.key : detail.s3ObjectDetails.objectKey;
  const position = parseFileKey(key);
  return position ? makeThumbnail(toFileKey(position), toThumbnailKey(position)) : { ignored: 1 };
}
