import { isParticipant } from '../../response-invariants/permissions.ts';
import type { Random } from '../client/seeded-random.ts';
import { isAlive } from '../model/model.ts';
import type { ConversationModel, MessageModel } from '../model/model-types.ts';
import type { Session } from './session.ts';

/** Those that the person takes part in, the oldest first. */
export const ownConversations = ({ model, person }: Session): ConversationModel[] =>
  [...model.conversations.values()].filter((one) => isAlive(one) && isParticipant(one, person.who));

/** One of theirs; often the oldest of a group, so that many meet there at once, otherwise any, the older the likelier. */
export function chooseConversation(session: Session): ConversationModel | undefined {
  const { random } = session;
  const own = ownConversations(session);
  const crowded = random.chance(0.4) ? own.find(({ group_id }) => group_id !== null) : undefined;
  return crowded ?? own[Math.floor(own.length * random.fraction() ** 2)];
}

const latestCreated = 40;

/** Any at all: mostly somebody else's, or one that is deleted. */
export function chooseAnyConversation({ model, random }: Session): ConversationModel | undefined {
  const all = [...model.conversations.values()];
  return random.one(random.chance(0.5) ? all.slice(-latestCreated) : all);
}

const latest = 30;

/** One of the last messages, of the person's own if so wanted. */
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

/** Mostly the sender's own: of others' it is refused. */
export const chooseMostlyOwn = (
  session: Session,
  conversation: ConversationModel | undefined,
): MessageModel | undefined => chooseMessage(session, conversation, session.random.chance(0.9));

export const limit = (random: Random) => ({ limit: String(random.integer(1, 25)) });
