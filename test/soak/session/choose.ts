import type { Random } from '../client/seeded-random.ts';
import { isAlive } from '../model/model.ts';
import type { ConversationModel, MessageModel } from '../model/model-types.ts';
import { participates } from '../model/user-groups.ts';
import type { Session } from './session.ts';

/** The person's conversations, oldest first. */
export const ownConversations = ({ model, person }: Session): ConversationModel[] =>
  [...model.conversations.values()].filter(
    (one) => isAlive(one) && participates(model, one, person.who),
  );

/**
 * Selects one of the person's conversations: often the oldest of a group, so that many members
 * meet, otherwise older ones more often.
 */
export function chooseConversation(session: Session): ConversationModel | undefined {
  const { random } = session;
  const own = ownConversations(session);
  const crowded = random.chance(0.4) ? own.find(({ group_id }) => group_id !== null) : undefined;
  return crowded ?? own[Math.floor(own.length * random.fraction() ** 2)];
}

const latestCreated = 40;

/** Selects any conversation: mostly another person's, or a deleted one. */
export function chooseAnyConversation({ model, random }: Session): ConversationModel | undefined {
  const all = [...model.conversations.values()];
  return random.one(random.chance(0.5) ? all.slice(-latestCreated) : all);
}

const latest = 30;

/** Selects one of the last messages, of the person's own if requested. */
export function chooseMessage(
  { random, person }: Pick<Session, 'random' | 'person'>,
  conversation: ConversationModel | undefined,
  own: boolean,
): MessageModel | undefined {
  const recent = conversation?.log.slice(-latest) ?? [];
  return random.one(
    recent.filter((one) => isAlive(one) && (!own || one.sent_by === person.who.id)),
  );
}

/** Mostly the sender's own messages, because others may not change them. */
export const chooseMostlyOwn = (
  session: Session,
  conversation: ConversationModel | undefined,
): MessageModel | undefined => chooseMessage(session, conversation, session.random.chance(0.9));

export const limit = (random: Random) => ({ limit: String(random.integer(1, 25)) });
