import { clock } from '../../shared/clock.ts';
import { createGroup } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { newGroupId } from '../../shared/ids.ts';
import { touchContact } from '../../shared/table/contacts.ts';
import { addRemainingMembers, storeGroup } from '../../shared/table/group-changes/create-group.ts';
import { newGroup, toGroupResult } from '../../shared/table/groups/group-item.ts';
import { withIdempotency } from '../../shared/table/idempotency.ts';

export const handler = serve(createGroup, ({ caller, body, idempotencyKey }) => {
  const ids = [...new Set(body.members)].filter((id) => id !== caller.id);
  const toParam = (id: string) => `members[${body.members.indexOf(id)}]`;
  const complete = async (groupId: string) => {
    await addRemainingMembers(groupId, caller, ids);
    const group = newGroup(groupId, caller.id, body);
    return toGroupResult({ ...group, member_count: 1 + ids.length });
  };
  return withIdempotency(idempotencyKey, caller, {
    replay: ({ made }) => complete(made),
    create: async (commit) => {
      const contact = await touchContact(caller);
      const id = newGroupId(clock.now());
      const group = newGroup(id, caller.id, body);
      await storeGroup(group, caller, { ids, toParam }, async (writes) => {
        const { done } = await commit({ id, writes }, contact);
        return done;
      });
      return complete(id);
    },
  });
});
