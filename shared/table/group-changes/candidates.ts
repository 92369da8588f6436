import * as v from 'valibot';
import { ApiError } from '../../api-error.ts';
import type { Caller } from '../../caller.ts';
import { type GroupRole, maxGroupsOfPerson } from '../../contract/resources/group.ts';
import { lookUpItems, type Write } from '../calls/access.ts';
import { toUnchangedCondition } from '../calls/expressions.ts';
import { isBlockedPair, toNoBlockCheck } from '../conversations/write/pair-blocks.ts';
import { notErasedCondition } from '../erased-contact.ts';
import { toMembershipWrites } from '../groups/group-writes.ts';
import { listMemberships } from '../groups/list-memberships.ts';
import type { Membership } from '../groups/membership.ts';
import { membershipCountKey } from '../keys/group-keys.ts';
import { contactKey, pairBlocksKey } from '../keys/keys.ts';
import { erasureAttribute } from '../keys/names.ts';
import { isAcquainted } from './is-acquainted.ts';

export interface Candidate {
  contactId: string;
  refusal: 'not_addable' | 'groups_exceeded' | undefined;
  /** Condition checks that fail if the contact can no longer be added. */
  checks: Write[];
}

/** Maximum writes per candidate in a transaction: see `toAddition`. */
export const writesPerCandidate = 4;

const StoredContact = v.object({
  [erasureAttribute]: v.optional(v.number()),
  accept_groups_from: v.optional(v.string()),
  groups: v.optional(v.array(v.string()), []),
});
const StoredCount = v.object({ group_count: v.optional(v.number(), 0) });

/**
 * Reads whether the caller can add each contact. For a new group, the caller is a candidate too.
 */
export async function readCandidates(
  caller: Caller,
  contactIds: readonly string[],
): Promise<Candidate[]> {
  const findItem = await lookUpItems(
    contactIds.flatMap((id) => [
      contactKey(id),
      membershipCountKey(id),
      ...(id === caller.id ? [] : [pairBlocksKey(caller.id, id)]),
    ]),
  );
  let ownMemberships: Promise<Membership[]> | undefined;
  const listOwn = () => {
    ownMemberships ??= listMemberships(caller.id);
    return ownMemberships;
  };
  return Promise.all(
    contactIds.map(async (contactId) => {
      const contact = v.parse(StoredContact, findItem(contactKey(contactId)) ?? {});
      const { group_count } = v.parse(StoredCount, findItem(membershipCountKey(contactId)) ?? {});
      const isSelf = contactId === caller.id;
      const pair = pairBlocksKey(caller.id, contactId);
      const isAccepted =
        isSelf ||
        (contact.erased_at === undefined &&
          !isBlockedPair(findItem(pair)) &&
          (contact.accept_groups_from !== 'contacts' ||
            (await isAcquainted(caller, { id: contactId, groups: contact.groups }, listOwn))));
      return {
        contactId,
        refusal: isAccepted
          ? group_count >= maxGroupsOfPerson
            ? 'groups_exceeded'
            : undefined
          : 'not_addable',
        checks: [toContactCheck(contactId, contact), ...(isSelf ? [] : [toNoBlockCheck(pair)])],
      };
    }),
  );
}

/** Returns the check that the contact is not erased and `accept_groups_from` is unchanged. */
function toContactCheck(contactId: string, contact: v.InferOutput<typeof StoredContact>): Write {
  const unchanged = toUnchangedCondition(contact, ['accept_groups_from']);
  return {
    check: {
      Key: contactKey(contactId),
      ...unchanged,
      ConditionExpression: `${notErasedCondition} AND ${unchanged.ConditionExpression}`,
    },
  };
}

/** Throws `not_addable` or `groups_exceeded` if the candidate cannot be added. */
export function requireAddable({ refusal }: Candidate, param?: string): void {
  if (refusal) throw new ApiError(refusal, param === undefined ? {} : { param });
}

/** Returns the writes that add a candidate, except for the update of the group's counts. */
export const toAddition = (
  { contactId, checks }: Candidate,
  groupId: string,
  { role, joinedAt }: { role: GroupRole; joinedAt: number },
): Write[] => [
  ...toMembershipWrites({
    group_id: groupId,
    contact_id: contactId,
    role,
    joined_at: joinedAt,
  }),
  ...checks,
];
