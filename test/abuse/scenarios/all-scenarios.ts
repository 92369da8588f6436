import type { Scenario } from '../support/scenario.ts';
import { blockedContacts } from './access/blocked-contacts.ts';
import { contactLookups } from './access/contact-lookups.ts';
import { costlyBodies } from './access/costly-bodies.ts';
import { forgedCursors } from './access/forged-cursors.ts';
import { idGuessing } from './access/id-guessing.ts';
import { tokenAbuse } from './access/token-abuse.ts';
import { crowdedBusinesses } from './lists/crowded-businesses.ts';
import { crowdedGroups } from './lists/crowded-groups.ts';
import { eventFloods } from './lists/event-floods.ts';
import { filteredLists } from './lists/filtered-lists.ts';
import { nonMemberConversations } from './lists/non-member-conversations.ts';
import { concurrentDeletions } from './messages/concurrent-deletions.ts';
import { crashedSends } from './messages/crashed-sends.ts';
import { deletedMessages } from './messages/deleted-messages.ts';
import { hostileMembers } from './messages/hostile-members.ts';
import { largestMessages } from './messages/largest-messages.ts';
import { manyReactions } from './messages/many-reactions.ts';
import { unreadCounts } from './messages/unread-counts.ts';
import { uploads } from './messages/uploads.ts';

/** All scenarios, by test file. Test files run concurrently. */
export const scenarios: Record<'deletions' | 'messages' | 'lists' | 'access', Scenario[]> = {
  deletions: [...deletedMessages, ...concurrentDeletions, ...crashedSends],
  messages: [...manyReactions, ...largestMessages, ...unreadCounts, ...hostileMembers, ...uploads],
  lists: [
    ...nonMemberConversations,
    ...filteredLists,
    ...eventFloods,
    ...crowdedBusinesses,
    ...crowdedGroups,
  ],
  access: [
    ...idGuessing,
    ...tokenAbuse,
    ...forgedCursors,
    ...costlyBodies,
    ...contactLookups,
    ...blockedContacts,
  ],
};
