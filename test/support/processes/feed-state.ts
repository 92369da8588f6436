import type { Conversation } from '../../../shared/contract/resources/conversation.ts';
import type { Event, Member } from '../../../shared/contract/resources/event.ts';
import type { Group } from '../../../shared/contract/resources/group.ts';
import type { Message } from '../../../shared/contract/resources/message.ts';

/**
 * The state that a reader derives from its feed by two rules: the higher version wins, and a
 * deletion is final.
 */
export interface FeedState {
  apply(event: Pick<Event, 'payload' | 'version'>): void;
  /** Existing conversations, by id. */
  conversations(): Map<string, Conversation>;
  /** Existing messages of existing conversations, by id. */
  messages(): Map<string, Message>;
  isDeleted(id: string): boolean;
}

const isMessage = (thing: Conversation | Message): thing is Message => 'conversation_id' in thing;

/** Reports whether a payload is a group or a member. */
const isOfGroup = (payload: object): payload is Group | Member =>
  'joined_at' in payload || 'member_count' in payload;

export function createFeedState(): FeedState {
  const known = new Map<string, { version: number; thing: Conversation | Message }>();
  const deleted = new Set<string>();
  const things = () => [...known.values()].map(({ thing }) => thing);
  const byId = <Thing extends { id: string }>(some: readonly Thing[]) =>
    new Map(some.map((thing) => [thing.id, thing]));
  return {
    apply: ({ payload, version }) => {
      if (!payload || 'last_read_message_id' in payload || isOfGroup(payload)) return;
      if ('deleted' in payload) {
        deleted.add(payload.id);
        known.delete(payload.id);
      } else if (!deleted.has(payload.id) && version >= (known.get(payload.id)?.version ?? 0)) {
        known.set(payload.id, { version, thing: payload });
      }
    },
    conversations: () => byId(things().filter((thing): thing is Conversation => !isMessage(thing))),
    messages: () =>
      byId(
        things()
          .filter(isMessage)
          .filter(({ conversation_id }) => !deleted.has(conversation_id)),
      ),
    isDeleted: (id) => deleted.has(id),
  };
}

/**
 * Returns resources for comparison, by id. Omits the activity time, because a crashed send causes
 * no event. Omits the contact's profile, because messages do not store it.
 */
export const toComparable = (things: Iterable<Conversation | Message>): Record<string, unknown> =>
  Object.fromEntries(
    [...things].map((thing) => [
      thing.id,
      isMessage(thing)
        ? { ...thing, contact: thing.contact.id }
        : { ...thing, last_active_at: null },
    ]),
  );

/** Returns one line of text for each resource that differs. */
export const findDifferences = (
  shown: Record<string, unknown>,
  known: Record<string, unknown>,
): string[] =>
  [...new Set([...Object.keys(shown), ...Object.keys(known)])]
    .map((id) => [JSON.stringify(shown[id]), JSON.stringify(known[id])] as const)
    .filter(([is, has]) => is !== has)
    .map(([is, has]) => `the lists show ${is}, but the feed shows ${has}`);
