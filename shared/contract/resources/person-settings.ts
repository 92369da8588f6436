import * as v from 'valibot';
import { boolean } from '../schema/field-types.ts';

const shareReadReceipts = v.pipe(
  boolean,
  v.description(
    'Whether the lists of readers show the caller. If false, the caller sees no readers either. True unless changed.',
  ),
);

/** Settings of the caller as a person, for all conversations. */
export const PersonSettings = v.strictObject({ share_read_receipts: shareReadReceipts });
export type PersonSettings = v.InferOutput<typeof PersonSettings>;

/** Absent fields stay unchanged. */
export const UpdatePersonSettings = v.object({
  share_read_receipts: v.optional(shareReadReceipts),
});
