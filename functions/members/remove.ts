import { removeGroupMember } from '../../shared/contract/operations.ts';
import { toDeletedReply } from '../../shared/contract/resources/deleted.ts';
import { serve } from '../../shared/http/serve.ts';
import { removeMember } from '../../shared/table/group-changes/remove-member.ts';

export const handler = serve(removeGroupMember, async ({ caller, path }) => {
  await removeMember(caller, path.group_id, path.contact_id);
  return toDeletedReply(path.contact_id);
});
