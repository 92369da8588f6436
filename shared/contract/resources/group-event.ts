import * as v from 'valibot';
import { Deleted } from './deleted.ts';
import { eventSchema } from './event-schema.ts';
import { Group, GroupMember } from './group.ts';

const ids = {
  id: v.pipe(v.string(), v.description('`<group_id>-<contact_id>`.')),
  group_id: v.string(),
};

/** A member of a user group, in an event. */
export const Member = v.strictObject({ ...ids, ...GroupMember.entries });
export type Member = v.InferOutput<typeof Member>;

/** A contact who is not a member of the user group, for example after leaving it. */
export const RemovedMember = v.strictObject({
  ...ids,
  contact_id: GroupMember.entries.contact_id,
  deleted: v.literal(true),
});
export type RemovedMember = v.InferOutput<typeof RemovedMember>;
export const toMembershipId = (group_id: string, contact_id: string) => `${group_id}-${contact_id}`;
export const toRemovedMember = (group_id: string, contact_id: string): RemovedMember => ({
  id: toMembershipId(group_id, contact_id),
  group_id,
  contact_id,
  deleted: true,
});

export const GroupEvent = v.pipe(
  eventSchema(['group.updated'], v.union([Group, Deleted])),
  v.description('The title or avatar of a group, or the role of a member, changed.'),
);
export const MemberAddedEvent = v.pipe(
  eventSchema(['group.member_added'], v.union([Member, RemovedMember])),
  v.description(
    'A contact joined a group. The payload shows the current membership. If the contact is the reader, list the conversations of the group.',
  ),
);
export const MemberRemovedEvent = v.pipe(
  eventSchema(['group.member_removed'], RemovedMember),
  v.description(
    'A contact left a group or was removed. Apply the event only if its version is higher than the one you have, because the contact may have joined again.',
  ),
);
export const GroupDeletedEvent = v.pipe(
  eventSchema(['group.deleted'], Deleted),
  v.description('A group was deleted, with all its conversations.'),
);
