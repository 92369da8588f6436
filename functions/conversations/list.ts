import type { Caller } from '../../shared/caller.ts';
import { listConversations } from '../../shared/contract/operations.ts';
import { callerKeyword, unassignedKeyword } from '../../shared/contract/resources/assignment.ts';
import type { Expansion } from '../../shared/contract/resources/expand.ts';
import { serve } from '../../shared/http/serve.ts';
import { isConversationId } from '../../shared/ids.ts';
import {
  type Cursor,
  countFitting,
  formatCursor,
  type Paging,
  resolveCursor,
  toPage,
  toPaging,
} from '../../shared/paging.ts';
import {
  type FoundConversation,
  getActiveAt,
} from '../../shared/table/conversations/items/conversation-item.ts';
import type { Filters } from '../../shared/table/conversations/query/filters.ts';
import { listAssigned } from '../../shared/table/conversations/query/list-assigned.ts';
import {
  type FlagFilters,
  listFlagged,
} from '../../shared/table/conversations/query/list-flagged.ts';
import {
  type ListReader,
  listRecent,
  resolveRecentCursor,
} from '../../shared/table/conversations/query/list-recent.ts';
import { expandConversations } from '../../shared/table/expansions/expand-conversations.ts';
import { withMemberships } from '../../shared/table/groups/list-memberships.ts';
import { withMembership } from '../../shared/table/groups/membership.ts';
import type { Flags } from '../../shared/table/keys/keys.ts';

export const handler = serve(listConversations, async ({ caller, query }) => {
  const { muted, archived, pinned, group_id: groupId, contact_id: contactId } = query;
  const wanted = { muted, archived, pinned };
  const excluded = {
    muted: query.exclude.includes('muted'),
    archived: query.exclude.includes('archived'),
    pinned: query.exclude.includes('pinned'),
  };
  const filters = { groupId, contactId };
  const member = withListedGroups(caller, query);
  member.catch(() => {});
  const paging = toPaging(query);
  const { found, toCursor } =
    query.assigned_to !== undefined
      ? await findAssigned(caller, query.assigned_to, groupId, paging)
      : muted || archived || pinned
        ? await findFlagged(await member, { wanted, excluded }, filters, paging)
        : await findRecent({ caller, member }, excluded, filters, paging);
  return toConversationPage(await member, found, { paging, toCursor, expand: query.expand });
});

/**
 * Returns the caller with the memberships that the list requires. A list filtered by group requires
 * only the membership in that group. A list filtered by contact or assignee requires no
 * memberships. Other lists require all memberships.
 */
async function withListedGroups(caller: Caller, { group_id, contact_id, assigned_to }: ListQuery) {
  if (group_id !== undefined) return withMembership(caller, group_id);
  return contact_id === undefined && assigned_to === undefined ? withMemberships(caller) : caller;
}

interface ListQuery {
  group_id?: string | undefined;
  contact_id?: string | undefined;
  assigned_to?: string | undefined;
}

const rule = 'must be the id of a conversation in this list';

/**
 * Lists conversations by flag. A cursor is a conversation's id. The id contains the position, so
 * the cursor works even after the conversation is deleted.
 */
async function findFlagged(caller: Caller, flags: FlagFilters, filters: Filters, paging: Paging) {
  const from = await resolveCursor(paging, rule, readId);
  const found = await listFlagged(caller, flags, filters, { ...paging, from });
  return { found, toCursor: ({ conversation }: FoundConversation) => conversation.id };
}

/** Lists conversations by assignee. A cursor is a conversation's id, as in lists by flag. */
async function findAssigned(
  caller: Caller,
  assignedTo: string,
  groupId: string | undefined,
  paging: Paging,
) {
  const assignee =
    assignedTo === callerKeyword
      ? caller.id
      : assignedTo === unassignedKeyword
        ? undefined
        : assignedTo;
  const from = await resolveCursor(paging, rule, readId);
  const found = await listAssigned(caller, { assignee, groupId }, { ...paging, from });
  return { found, toCursor: ({ conversation }: FoundConversation) => conversation.id };
}

const readId = ({ id }: Cursor) => (isConversationId(id) ? id : undefined);

/**
 * Lists conversations by activity. Positions change, so a cursor contains the position at listing
 * time.
 */
async function findRecent(reader: ListReader, excluded: Flags, filters: Filters, paging: Paging) {
  const read = (cursor: Cursor) => resolveRecentCursor(cursor, reader, filters);
  const from = await resolveCursor(paging, rule, read);
  const found = await listRecent(reader, excluded, filters, { ...paging, from });
  const toCursor = ({ conversation }: FoundConversation) =>
    formatCursor(conversation.id, getActiveAt(conversation));
  return { found, toCursor };
}

interface PageOptions {
  paging: Paging;
  toCursor: (found: FoundConversation) => string;
  expand: readonly Expansion[];
}

async function toConversationPage(
  caller: Caller,
  found: FoundConversation[],
  { paging, toCursor, expand }: PageOptions,
) {
  const expanded = await expandConversations(caller, found.slice(0, paging.limit), expand);
  const page = toPage(found, paging, toCursor, countFitting(expanded));
  const byId = new Map(expanded.map((one) => [one.id, one]));
  return {
    ...page,
    data: page.data.flatMap(({ conversation }) => byId.get(conversation.id) ?? []),
  };
}
