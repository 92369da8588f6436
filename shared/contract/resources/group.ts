import * as v from 'valibot';
import {
  ContactId,
  ExternalId,
  HttpsUrl,
  integer,
  Label,
  Timestamp,
  text,
} from '../schema/field-types.ts';
import { listSchema } from '../schema/list-schema.ts';

export const maxGroupMembers = 1000;
/** Maximum number of user groups per person, not counting groups in the token. */
export const maxGroupsOfPerson = 300;
const maxNewMembers = 100;
const maxTitleLength = 100;

export const groupRoles = ['owner', 'admin', 'member'] as const;
export type GroupRole = (typeof groupRoles)[number];
const roleRule = `must be one of ${groupRoles.join(', ')}`;
const Role = v.pipe(
  v.picklist(groupRoles, roleRule),
  v.description(
    'Owners may do everything. Admins may change the title and the avatar, delete conversations, and add, change and remove members other than owners. Members may leave.',
  ),
);

const Title = v.pipe(
  text(1, maxTitleLength),
  Label,
  v.description('Name of the group, shown to its members.'),
);
const AvatarUrl = v.pipe(HttpsUrl, v.description("URL of the group's picture."));

/** A group that a user has created. */
export const Group = v.strictObject({
  id: v.pipe(v.string(), v.description('Id to use as `group_id` of conversations.')),
  title: v.string(),
  avatar_url: v.nullable(v.string()),
  created_by: ExternalId,
  member_count: integer(0, maxGroupMembers),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Group = v.InferOutput<typeof Group>;
export const GroupPage = listSchema(Group);

export const CreateGroup = v.object({
  title: Title,
  avatar_url: v.nullish(AvatarUrl),
  members: v.optional(
    v.pipe(
      v.array(ContactId),
      v.maxLength(maxNewMembers, `must have at most ${maxNewMembers} contact ids`),
      v.description('Contacts to add as members. The caller becomes the owner.'),
    ),
    [],
  ),
});
export type CreateGroup = v.InferOutput<typeof CreateGroup>;

/** Change to a group. Absent fields stay unchanged; null clears `avatar_url`. */
export const UpdateGroup = v.object({
  title: v.optional(Title),
  avatar_url: v.optional(v.nullable(AvatarUrl)),
});
export type UpdateGroup = v.InferOutput<typeof UpdateGroup>;

export const GroupMember = v.strictObject({
  contact_id: ExternalId,
  role: Role,
  joined_at: Timestamp,
});
export type GroupMember = v.InferOutput<typeof GroupMember>;
export const GroupMemberPage = listSchema(GroupMember);

export const PutGroupMember = v.object({
  role: v.optional(
    v.pipe(
      v.picklist(groupRoles, roleRule),
      v.description(
        'If absent, a new member gets the role `member`, and an existing member keeps theirs.',
      ),
    ),
  ),
});
