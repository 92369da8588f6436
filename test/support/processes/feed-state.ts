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
  conversations(): Map<string, Conversation>;
  /** Existing messages of existing conversations, by id. */
  messages(): Map<string, Message>;
  isDeleted(id: string): boolean;
}

const isMessage = (resource: Conversation | Message): resource is Message =>
  'conversation_id' in resource;

const isOfGroup = (payload: object): payload is Group | Member =>
  'joined_at' in payload || 'member_count' in payload;

export function createFeedState(): FeedState {
  const known = new Map<string, { version: number; resource: Conversation | Message }>();
  const deleted = new Set<string>();
  const listResources = () => [...known.values()].map(({ resource }) => resource);
  const byId = <Resource extends { id: string }>(resources: readonly Resource[]) =>
    new Map(resources.map((resource) => [resource.id, resource]));
  return {
    apply: ({ payload, version }) => {
      if (!payload || 'last_read_message_id' in payload || isOfGroup(payload)) return;
      if ('deleted' in payload) {
        deleted.add(payload.id);
        known.delete(payload.id);
      } else if (!deleted.has(payload.id) && version >= (known.get(payload.id)?.version ?? 0)) {
        known.set(payload.id, { version, resource: payload });
      }
    },
    conversations: () =>
      byId(listResources().filter((resource): resource is Conversation => !isMessage(resource))),
    messages: () =>
      byId(
        listResources()
          .filter(isMessage)
          .filter(({ conversation_id }) => !deleted.has(conversation_id)),
      ),
    isDeleted: (id) => deleted.has(id),
  };
}

/**
 * Returns resources for a comparison, keyed by id. Omits the activity time, because a crashed send
 * causes no event. Omits the contact's profile, because messages do not store it.
 */
export const toComparable = (
  resources: Iterable<Conversation | Message>,
): Record<string, unknown> =>
  Object.fromEntries(
    [...resources].map((resource) => [
      resource.id,
      isMessage(resource)
        ? { ...resource, contact: resource.contact.id }
        : { ...resource, last_active_at: null },
    ]),
  );

export const findDifferences = (
  shown: Record<string, unknown>,
  known: Record<string, unknown>,
): string[] =>
  [...new Set([...Object.keys(shown), ...Object.keys(known)])]
    .map((id) => [JSON.stringify(shown[id]), JSON.stringify(known[id])] as const)
    .filter(([is, has]) => is !== has)
    .map(([is, has]) => `the lists show ${is}, but the feed shows ${has}`);
