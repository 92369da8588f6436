import type { Caller } from '../../../caller.ts';
import { toDeletedReply } from '../../../contract/resources/deleted.ts';
import { type Event, toDeletedMessage } from '../../../contract/resources/event.ts';
import { parseMessageId } from '../../../ids.ts';
import { type Item, lookUpItems } from '../../calls/access.ts';
import {
  getVersion,
  parseVisibleConversation,
  toConversationReply,
} from '../../conversations/items/conversation-item.ts';
import { getDirectPartner } from '../../conversations/items/participants.ts';
import { parseSettings } from '../../conversations/items/settings.ts';
import { createEventMessageRenderer } from '../../expansions/expand-messages.ts';
import { conversationKey, type Key, messageKey, settingsKey } from '../../keys/keys.ts';
import { readContent } from '../../messages/log/content-item.ts';
import {
  getMessageVersion,
  type MessageWithContent,
  parseMessage,
} from '../../messages/log/message-item.ts';
import { getParticipants } from '../conversation-inboxes.ts';
import {
  createEvent,
  type EventSource,
  type EventState,
  type FeedEntry,
  getConversationId,
} from '../feed-entry.ts';
import { isOfGroup, isOfMember, readGroupStates } from '../read-group-states.ts';
import { type Opening, readOpenings } from '../read-openings.ts';

/**
 * Returns each entry's event; `undefined` if the caller may not see it. The payload is the current
 * state of the resource or reports its deletion. If `shown` contains the resource, the payload is
 * null, because an earlier event contains it. A member's payload is never null. Adds the resources
 * to `shown`.
 */
export async function renderEvents(
  caller: Caller,
  entries: readonly EventSource[],
  shown: Set<string>,
): Promise<(Event | undefined)[]> {
  const unread = entries.filter(({ entry }) => isOfMember(entry) || !shown.has(toSubject(entry)));
  const groupEntries = unread.filter(({ entry }) => isOfGroup(entry));
  const rest = unread.map(({ entry }) => entry).filter((entry) => !isOfGroup(entry));
  const [openings, others] = [rest.filter(isOpening), rest.filter((one) => !isOpening(one))];
  const [subjects, findOpened, findGroupState] = await Promise.all([
    readSubjects(caller.id, others),
    readOpeningsFor(caller, openings),
    readGroupStates(caller, groupEntries),
  ]);
  const messages = others.flatMap((entry) => subjects.message(entry) ?? []);
  const renderMessage = await createEventMessageRenderer(messages);
  return entries.map((sequenced) => {
    const { entry } = sequenced;
    if (isOfMember(entry)) {
      const state = findGroupState(sequenced);
      return state && createEvent(sequenced, state);
    }
    const subject = toSubject(entry);
    const state: EventState | undefined = shown.has(subject)
      ? { version: entry.version, isShown: true }
      : isOpening(entry)
        ? findOpened(entry.id)
        : isOfGroup(entry)
          ? findGroupState(sequenced)
          : readState(caller, entry, subjects, renderMessage);
    if (state) shown.add(subject);
    return state && createEvent(sequenced, state);
  });
}

const isOpening = ({ type }: FeedEntry) => type === 'reader.updated';

/** Returns the key of an entry's resource. For an opening, adds a prefix to the conversation id. */
const toSubject = (entry: FeedEntry) => (isOpening(entry) ? `reader ${entry.id}` : entry.id);

async function readOpeningsFor(caller: Caller, entries: readonly FeedEntry[]) {
  const findParticipants = await getParticipants(entries.map(({ id }) => id));
  const toOpening = (conversationId: string): Opening | undefined => {
    const participants = findParticipants(conversationId);
    const readerId = participants && getDirectPartner(participants, caller.id);
    return readerId ? { conversationId, readerId, recipientId: caller.id } : undefined;
  };
  const findOpened = await readOpenings(entries.flatMap(({ id }) => toOpening(id) ?? []));
  return (conversationId: string): EventState | undefined => {
    const opening = toOpening(conversationId);
    return opening && findOpened(opening);
  };
}

function readState(
  caller: Caller,
  entry: FeedEntry,
  subjects: EntrySubjects,
  renderMessage: Awaited<ReturnType<typeof createEventMessageRenderer>>,
): EventState | undefined {
  const { id, version, own } = entry;
  const position = parseMessageId(id);
  const conversationId = getConversationId(entry);
  const item = subjects.conversation(conversationId);
  const conversation = parseVisibleConversation(caller, item);
  if (!conversation) {
    // Omits settings events: their owner may have left the group before the deletion. Readers of
    // all other entries were participants until the deletion.
    const isDeletedOrMissing = item === undefined || isTombstone(item);
    if (own || !isDeletedOrMissing) return undefined;
    return {
      version,
      message: toDeletedMessage(id, conversationId),
      conversation: toDeletedReply(id),
    };
  }
  if (!position) {
    const view = { conversation, settings: subjects.settings(conversationId) };
    return {
      version: getVersion(view),
      conversation: toConversationReply(caller.id, conversation, view.settings),
    };
  }
  const message = subjects.message(entry);
  if (!message) return { version, message: toDeletedMessage(id, conversationId) };
  const isSender = message.sent_by === caller.id;
  return {
    version: getMessageVersion(message, { isSender }),
    message: renderMessage(message, caller.id),
  };
}

const isTombstone = (item: Item) => !('id' in item);

interface EntrySubjects {
  conversation(id: string): Item | undefined;
  settings(conversationId: string): ReturnType<typeof parseSettings>;
  message(entry: FeedEntry): MessageWithContent | undefined;
}

async function readSubjects(
  callerId: string,
  entries: readonly FeedEntry[],
): Promise<EntrySubjects> {
  const keys = entries.flatMap((entry): Key[] => {
    const conversationId = getConversationId(entry);
    const position = parseMessageId(entry.id);
    return [
      conversationKey(conversationId),
      position
        ? messageKey(conversationId, position.sequence)
        : settingsKey(conversationId, callerId),
    ];
  });
  const findItem = await lookUpItems(keys);
  const findMessage = (id: string) => {
    const position = parseMessageId(id);
    return (
      position && parseMessage(findItem(messageKey(position.conversationId, position.sequence)))
    );
  };
  const addContent = await readContent(entries.flatMap(({ id }) => findMessage(id) ?? []));
  return {
    conversation: (id) => findItem(conversationKey(id)),
    settings: (id) => parseSettings(findItem(settingsKey(id, callerId))),
    message: ({ id }) => {
      const message = findMessage(id);
      return message && addContent(message);
    },
  };
}
