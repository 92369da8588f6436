import businesses from './operations/businesses.ts';
import conversations from './operations/conversations.ts';
import events from './operations/events.ts';
import groups from './operations/groups.ts';
import messages from './operations/messages.ts';
import people from './operations/people.ts';

/** The operations, grouped and ordered as in the index of the reference. */
export const operationGroups = [messages, conversations, groups, people, businesses, events];
