import type { Scenario } from '../support/story.ts';
import { hardBodies } from './bodies.ts';
import { contacts } from './contacts.ts';
import { crowds } from './crowds.ts';
import { cursors } from './cursors.ts';
import { deadSends } from './dead-send.ts';
import { deletedInFront } from './deleted-in-front.ts';
import { deletingNow } from './deleting-now.ts';
import { filteredLists } from './filtered-lists.ts';
import { floodsOfEvents } from './floods-of-events.ts';
import { largestMessages } from './largest-messages.ts';
import { reactions } from './reactions.ts';
import { stranger } from './stranger.ts';
import { strangersConversations } from './strangers-conversations.ts';
import { tokens } from './tokens.ts';
import { unread } from './unread.ts';

/** All that are told, in this order. The next one: a file beside, and a line here. */
export const scenarios: Scenario[] = [
  ...deletedInFront,
  ...deletingNow,
  ...deadSends,
  ...reactions,
  ...largestMessages,
  ...unread,
  ...stranger,
  ...strangersConversations,
  ...filteredLists,
  ...tokens,
  ...crowds,
  ...cursors,
  ...hardBodies,
  ...contacts,
  ...floodsOfEvents,
];
