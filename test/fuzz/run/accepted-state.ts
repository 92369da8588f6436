import {
  canDelete,
  isParticipant as mayParticipate,
} from '../../response-invariants/permissions.ts';
import type { Person } from './person.ts';

export interface KnownConversation {
  id: string;
  created_by: string;
  contact_id: string | null;
  group_id: string | null;
  deleted: boolean;
}

export interface KnownMessage {
  id: string;
  conversation_id: string;
  sent_by: string;
  deleted: boolean;
}

/** What a thing may look like: what the replies of the last requests said that changed it at the same time. */
interface States {
  batch: number;
  states: unknown[];
}

/**
 * What must be there: everything that was accepted, and nothing else. Requests of one batch run at the same time, so after
 * it a thing is as one of its replies has said.
 */
export function createAcceptedState(people: readonly Person[]) {
  const conversations = new Map<string, KnownConversation>();
  const messages = new Map<string, KnownMessage>();
  /** By whose they are. */
  const feedCursors = new Map<string, string>();
  const known = new Map<string, States>();
  const etags = new Map<string, string>();
  let batch = 0;

  const groupsOf = (id: string) => people.find((one) => one.id === id)?.groups ?? [];
  const isParticipant = (one: KnownConversation, id: string): boolean =>
    mayParticipate(one, { id, groups: groupsOf(id) });

  return {
    conversations,
    messages,
    feedCursors,
    etags,
    isParticipant,
    mayDelete: (one: KnownConversation, id: string): boolean =>
      canDelete(one, { id, groups: groupsOf(id) }),
    /**
     * Whether the two share a conversation that is still there, or of those too that were deleted: certainly, or only if
     * the other is known to be in its group. One is always known to oneself.
     */
    mayKnow: (id: string, other: string, { deleted }: { deleted: boolean }) => {
      if (id === other) return 'certainly';
      const shared = [...conversations.values()].filter(
        (one) => (deleted || !one.deleted) && isParticipant(one, id) && isParticipant(one, other),
      );
      const isNamed = (one: KnownConversation) => mayParticipate(one, { id: other, groups: [] });
      return shared.length === 0 ? 'no' : shared.some(isNamed) ? 'certainly' : 'perhaps';
    },
    nextBatch: () => {
      batch += 1;
    },
    /** The caller may see the conversation or message of that id. */
    visible: (id: string, callerId: string): boolean => {
      const message = messages.get(id);
      const conversation = conversations.get(message?.conversation_id ?? id);
      if (!conversation || conversation.deleted || message?.deleted) return false;
      return isParticipant(conversation, callerId);
    },
    /** `what` is then in that state, unless another request of the batch says otherwise. */
    learn: (what: string, state: unknown): void => {
      const before = known.get(what);
      if (before?.batch === batch) before.states.push(state);
      else known.set(what, { batch, states: [state] });
    },
    statesOf: (what: string): readonly unknown[] | undefined => known.get(what)?.states,
  };
}

export type AcceptedState = ReturnType<typeof createAcceptedState>;
