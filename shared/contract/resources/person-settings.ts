import * as v from 'valibot';
import { boolean } from '../schema/field-types.ts';

const shareReadReceipts = v.pipe(
  boolean,
  v.description(
    'Whether the lists of readers show the caller. If false, the caller sees no readers either. Default: true.',
  ),
);

export const groupSources = ['everyone', 'contacts'] as const;
const acceptGroupsFrom = v.pipe(
  v.picklist(groupSources, `must be one of ${groupSources.join(', ')}`),
  v.description(
    'Who may add the caller to groups: everyone, or only contacts who share a direct conversation or a group with the caller. A block in either direction overrides this setting. Default: `everyone`.',
  ),
);

/** Settings of the caller that apply to all conversations. */
export const PersonSettings = v.strictObject({
  share_read_receipts: shareReadReceipts,
  accept_groups_from: acceptGroupsFrom,
});
export type PersonSettings = v.InferOutput<typeof PersonSettings>;

/** Change to the caller's settings. Absent fields stay unchanged. */
export const UpdatePersonSettings = v.object({
  share_read_receipts: v.optional(shareReadReceipts),
  accept_groups_from: v.optional(acceptGroupsFrom),
});
export type UpdatePersonSettings = v.InferOutput<typeof UpdatePersonSettings>;
