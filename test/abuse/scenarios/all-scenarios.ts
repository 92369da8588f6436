import type { Scenario } from '../support/scenario.ts';
import { contactLookups } from './access/contact-lookups.ts';
import { costlyBodies } from './access/costly-bodies.ts';
import { forgedCursors } from './access/forged-cursors.ts';
import { idGuessing } from './access/id-guessing.ts';
import { tokenAbuse } from './access/token-abuse.ts';
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

/** Lists all scenarios in run order. To add a scenario, create its file and add a line here. */
export const scenarios: Scenario[] = [
  ...deletedMessages,
  ...concurrentDeletions,
  ...crashedSends,
  ...manyReactions,
  ...largestMessages,
  ...unreadCounts,
  ...idGuessing,
  ...nonMemberConversations,
  ...filteredLists,
  ...tokenAbuse,
  ...hostileMembers,
  ...forgedCursors,
  ...costlyBodies,
  ...contactLookups,
  ...eventFloods,
];
