import { takesPart } from '../../oracle/participants.ts';
import type { ConversationModel, MessageModel } from '../model/things.ts';
import { isAlive } from '../model/world.ts';
import type { Random } from '../random.ts';
import type { Scene } from './person.ts';

/** Those that the person takes part in, the oldest first. */
export const ownConversations = ({ world, person }: Scene): ConversationModel[] =>
  [...world.conversations.values()].filter((one) => isAlive(one) && takesPart(one, person.who));

/** One of theirs; often the oldest of a group, so that many meet there at once, otherwise any, the older the likelier. */
export function chooseConversation(scene: Scene): ConversationModel | undefined {
  const { random } = scene;
  const own = ownConversations(scene);
  const crowded = random.happens(0.4) ? own.find(({ group_id }) => group_id !== null) : undefined;
  return crowded ?? own[Math.floor(own.length * random.fraction() ** 2)];
}

const mostRecentlyMade = 40;

/** Any at all: mostly somebody else's, or one that is deleted. */
export function chooseAnyConversation({ world, random }: Scene): ConversationModel | undefined {
  const all = [...world.conversations.values()];
  return random.one(random.happens(0.5) ? all.slice(-mostRecentlyMade) : all);
}

const mostRecent = 30;

/** One of the last messages, of the person's own if so wanted. */
export function chooseMessage(
  { random, person }: Pick<Scene, 'random' | 'person'>,
  conversation: ConversationModel | undefined,
  own: boolean,
): MessageModel | undefined {
  const recent = conversation?.log.slice(-mostRecent) ?? [];
  return random.one(
    recent.filter((one) => isAlive(one) && (!own || one.sent_by === person.who.id)),
  );
}

/** Mostly the sender's own: of others' it is refused. */
export const chooseMostlyOwn = (
  scene: Scene,
  conversation: ConversationModel | undefined,
): MessageModel | undefined => chooseMessage(scene, conversation, scene.random.happens(0.9));

export const limit = (random: Random) => ({ limit: String(random.integer(1, 25)) });
