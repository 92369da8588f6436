import { putGroupMember } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { putMember } from '../../shared/table/group-changes/put-member.ts';
import { toMemberReply } from '../../shared/table/groups/membership.ts';

export const handler = serve(putGroupMember, async ({ caller, path, body }) => {
  const { member, isNew } = await putMember(caller, {
    groupId: path.group_id,
    contactId: path.contact_id,
    role: body.role,
  });
  return { reply: toMemberReply(member), ...(!isNew && { alreadyExists: true }) };
});
