import { clock, toSeconds } from '../../clock.ts';
import { uploadLimits } from '../../contract/schema/upload-limits.ts';
import { toShortHash } from '../../log/short-hash.ts';
import { uploadCountSeconds } from '../../retention.ts';
import type { Write } from '../calls/access.ts';
import { uploadCountKey } from '../keys/keys.ts';
import { expiryAttribute } from '../keys/names.ts';

const daySeconds = 24 * 60 * 60;

/**
 * Returns the write that adds `size` bytes, at least `minCountedBytes`, to the person's count for
 * today (UTC). The write fails if the count would exceed the limit.
 */
export function toUploadCount(contactId: string, size: number): Write {
  const counted = Math.max(size, uploadLimits.minCountedBytes);
  const day = Math.floor(toSeconds(clock.now()) / daySeconds);
  return {
    update: {
      Key: uploadCountKey(toShortHash(contactId), day),
      UpdateExpression: `ADD uploaded_bytes :size SET ${expiryAttribute} = :expiry`,
      ConditionExpression: 'attribute_not_exists(uploaded_bytes) OR uploaded_bytes <= :room',
      ExpressionAttributeValues: {
        ':size': counted,
        ':room': uploadLimits.bytesPerDay - counted,
        ':expiry': day * daySeconds + uploadCountSeconds,
      },
    },
  };
}
