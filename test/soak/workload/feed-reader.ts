import type { Operation } from '../../../shared/contract/operation.ts';
import {
  listConversations,
  listEvents,
  listMessages,
  retrieveLive,
} from '../../../shared/contract/operations.ts';
import type { Conversation } from '../../../shared/contract/resources/conversation.ts';
import type { Event } from '../../../shared/contract/resources/event.ts';
import type { Message } from '../../../shared/contract/resources/message.ts';
import { getLinkQuery } from '../../response-invariants/page-rules.ts';
import {
  createFeedState,
  findDifferences,
  toComparable,
} from '../../support/processes/feed-state.ts';
import { isSuccess } from '../exchange/exchange.ts';
import { parseBody } from '../operations/operation-check.ts';
import type { Session } from '../session/session.ts';

/**
 * A device that applies the feed's events to its state. The state comes from the lists only at the
 * start or after a reset.
 */
export interface FeedReader {
  /** Reads to the end of the feed. Returns false if a request fails. */
  read(): Promise<boolean>;
  /**
   * Returns the differences between the feed's state and the lists. The differences may be
   * temporary.
   */
  differences(): Promise<string[]>;
}

const limit = '100';
const expired = 410;

/** Returns a function that lists all conversations and their messages. */
function createLister({ sendRequest, person }: Pick<Session, 'sendRequest' | 'person'>) {
  /** Returns all items, or `undefined` if the request for a page fails. */
  const listItems = async <Item>(
    row: Operation,
    filter: Record<string, string>,
    getItems: (exchange: Awaited<ReturnType<Session['sendRequest']>>) => Item[],
  ): Promise<Item[] | undefined> => {
    const found: Item[] = [];
    let query: Record<string, string> | undefined = { ...filter, limit };
    while (query) {
      const exchange = await sendRequest(person.caller, row, { query });
      if (!isSuccess(exchange)) return undefined;
      found.push(...getItems(exchange));
      query = getLinkQuery(exchange.reply.headers.get('link'), 'next');
    }
    return found;
  };

  return async () => {
    const conversations = await listItems<Conversation>(
      listConversations,
      {},
      (exchange) => parseBody(listConversations.reply, exchange).data,
    );
    if (!conversations) return undefined;
    const messages: Message[] = [];
    for (const { id: conversation_id } of conversations) {
      const listedMessages = await listItems<Message>(
        listMessages,
        { conversation_id, peek: 'true' },
        (exchange) => parseBody(listMessages.reply, exchange).data,
      );
      // If the conversation was just deleted, the read fails, and the feed contains the deletion.
      messages.push(...(listedMessages ?? []));
    }
    return { conversations, messages };
  };
}

/** Reports whether the reader joined or left a user group, or whether a user group was deleted. */
const changesAccess = ({ type, payload }: Event, reader: string): boolean =>
  type === 'group.deleted' ||
  ((type === 'group.member_added' || type === 'group.member_removed') &&
    payload?.contact_id === reader);

export function createFeedReader({ sendRequest, person }: Session): FeedReader {
  let state = createFeedState();
  let cursor: string | undefined;
  let groups = '';

  const listAll = createLister({ sendRequest, person });

  const begin = async (): Promise<boolean> => {
    const groupsAtStart = person.caller.groups.join();
    const live = await sendRequest(person.caller, retrieveLive);
    if (!isSuccess(live)) return false;
    const all = await listAll();
    if (!all) return false;
    state = createFeedState();
    for (const payload of [...all.conversations, ...all.messages]) {
      state.apply({ payload, version: 0 });
    }
    cursor = parseBody(retrieveLive.reply, live).cursor;
    groups = groupsAtStart;
    return true;
  };

  const read = async (): Promise<boolean> => {
    // The feed omits events of groups that the person left, and events from before the person
    // joined a group.
    if (cursor === undefined || groups !== person.caller.groups.join()) {
      if (!(await begin())) return false;
    }
    for (;;) {
      const sent = { query: { limit, starting_after: cursor ?? '' } };
      const exchange = await sendRequest(person.caller, listEvents, sent);
      if (exchange.reply.status === expired) cursor = undefined;
      if (!isSuccess(exchange)) return false;
      const { data, has_more } = parseBody(listEvents.reply, exchange);
      for (const event of data) state.apply(event);
      if (data.some((event) => changesAccess(event, person.caller.id))) return begin();
      cursor = getLinkQuery(exchange.reply.headers.get('link'), 'next')?.starting_after;
      if (!has_more) return true;
    }
  };

  return {
    read,
    differences: async () => {
      const all = await listAll();
      if (!all || !(await read())) return [`${person.caller.id} cannot read the lists or the feed`];
      return [
        ...findDifferences(
          toComparable(all.conversations),
          toComparable(state.conversations().values()),
        ),
        ...findDifferences(toComparable(all.messages), toComparable(state.messages().values())),
      ].map((one) => `to ${person.caller.id} ${one}`);
    },
  };
}

/** Reads the feed until the traffic stops. Longer pauses simulate an offline device. */
export async function readIntermittently(reader: FeedReader, session: Session): Promise<void> {
  const { random, think, stopping } = session;
  while (!stopping.aborted) {
    await reader.read();
    await think(random.chance(0.2) ? random.integer(2000, 15_000) : random.integer(100, 1500));
  }
}
