import type { Random } from '../client/seeded-random.ts';
import { hasNoDeletion } from '../model/model.ts';
import type { ConversationModel, MessageModel } from '../model/model-types.ts';
import { participates } from '../model/user-groups.ts';
import type { Session } from './session.ts';

/** Returns the person's existing conversations, oldest first. */
export const ownConversations = ({ model, person }: Session): ConversationModel[] =>
  [...model.conversations.values()].filter(
    (one) => hasNoDeletion(one) && participates(model, one, person.caller),
  );

/**
 * Selects one of the person's conversations. Often selects the oldest group conversation, so that
 * many members use it. Otherwise, prefers older conversations.
 */
export function chooseConversation(session: Session): ConversationModel | undefined {
  const { random } = session;
  const own = ownConversations(session);
  const groupConversation = random.chance(0.4)
    ? own.find(({ group_id }) => group_id !== null)
    : undefined;
  return groupConversation ?? own[Math.floor(own.length * random.fraction() ** 2)];
}

const latestCreated = 40;

/** Selects any conversation, even if it is deleted or the person is not a participant. */
export function chooseAnyConversation({ model, random }: Session): ConversationModel | undefined {
  const all = [...model.conversations.values()];
  return random.one(random.chance(0.5) ? all.slice(-latestCreated) : all);
}

const latest = 30;

export function chooseMessage(
  { random, person }: Pick<Session, 'random' | 'person'>,
  conversation: ConversationModel | undefined,
  own: boolean,
): MessageModel | undefined {
  const recent = conversation?.log.slice(-latest) ?? [];
  return random.one(
    recent.filter((one) => hasNoDeletion(one) && (!own || one.sent_by === person.caller.id)),
  );
}

/** Selects a message, mostly the person's own, because only the sender may edit or delete it. */
export const chooseMostlyOwn = (
  session: Session,
  conversation: ConversationModel | undefined,
): MessageModel | undefined => chooseMessage(session, conversation, session.random.chance(0.9));

export const limit = (random: Random) => ({ limit: String(random.integer(1, 25)) });
