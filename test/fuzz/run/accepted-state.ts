import {
  canDelete,
  isParticipant as mayParticipate,
} from '../../response-invariants/permissions.ts';
import { createKnownGroups } from './known-groups.ts';
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

export interface KnownUpload {
  id: string;
  conversation_id: string;
  uploaded_by: string;
  /** The attachment as it appears in messages, without its status. */
  shown: object;
  /** Undefined until the file is stored. */
  content: string | undefined;
  /** Undefined until a message contains the upload. */
  message_id: string | undefined;
}

/** Possible states of a resource: the replies to the last concurrent requests that changed it. */
interface States {
  batch: number;
  states: unknown[];
}

export function createAcceptedState(people: readonly Person[]) {
  const conversations = new Map<string, KnownConversation>();
  const messages = new Map<string, KnownMessage>();
  const uploads = new Map<string, KnownUpload>();
  /** Feed cursors by owner. */
  const feedCursors = new Map<string, string>();
  const known = new Map<string, States>();
  const etags = new Map<string, string>();
  /** Contacts that each caller has ever blocked. */
  const blocks = new Map<string, Set<string>>();
  const groups = createKnownGroups();
  let batch = 0;

  const groupsOf = (id: string) => people.find((one) => one.id === id)?.groups ?? [];
  const isParticipant = (one: KnownConversation, id: string): boolean =>
    mayParticipate(one, { id, groups: groupsOf(id) });

  return {
    conversations,
    messages,
    uploads,
    feedCursors,
    etags,
    blocks,
    groups,
    isParticipant,
    mayDelete: (one: KnownConversation, id: string): boolean =>
      canDelete(one, { id, groups: groupsOf(id) }),
    /**
     * Returns `certainly` if `id` and `other` are the same person, or share a conversation that is
     * direct or names `other`. Returns `perhaps` if they share another conversation or may have
     * shared a group. Otherwise, returns `no`. If `deleted` is true, includes deleted
     * conversations.
     */
    getContactAccess: (id: string, other: string, { deleted }: { deleted: boolean }) => {
      if (id === other) return 'certainly';
      const shared = [...conversations.values()].filter(
        (one) => (deleted || !one.deleted) && isParticipant(one, id) && isParticipant(one, other),
      );
      const isNamed = (one: KnownConversation) => mayParticipate(one, { id: other, groups: [] });
      if (shared.some(isNamed)) return 'certainly';
      return shared.length > 0 || groups.mayHaveShared(id, other) ? 'perhaps' : 'no';
    },
    nextBatch: () => {
      batch += 1;
    },
    /** Reports whether the conversation or message exists and the caller has access to it. */
    visible: (id: string, callerId: string): boolean => {
      const message = messages.get(id);
      const conversation = conversations.get(message?.conversation_id ?? id);
      if (!conversation || conversation.deleted || message?.deleted) return false;
      return isParticipant(conversation, callerId);
    },
    /**
     * Reports whether the caller has access to the file. Unless `deleted` is true, returns false
     * for deleted files.
     */
    canSeeUpload: (upload: KnownUpload, callerId: string, { deleted }: { deleted: boolean }) => {
      const conversation = conversations.get(upload.conversation_id);
      if (!conversation || !isParticipant(conversation, callerId)) return false;
      if (upload.message_id === undefined && upload.uploaded_by !== callerId) return false;
      const isDeleted =
        conversation.deleted || messages.get(upload.message_id ?? '')?.deleted === true;
      return deleted || !isDeleted;
    },
    /** Records a state of the resource. States from one batch are alternatives. */
    recordState: (key: string, state: unknown): void => {
      const before = known.get(key);
      if (before?.batch === batch) before.states.push(state);
      else known.set(key, { batch, states: [state] });
    },
    statesOf: (key: string): readonly unknown[] | undefined => known.get(key)?.states,
  };
}

export type AcceptedState = ReturnType<typeof createAcceptedState>;
