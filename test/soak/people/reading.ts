import {
  listMessages,
  retrieveConversation,
  retrieveMessage,
} from '../../../shared/contract/operations.ts';
import { linkedQuery } from '../../oracle/page.ts';
import { isDone } from '../exchange.ts';
import { chooseConversation, chooseMessage, limit } from './choose.ts';
import type { Scene } from './person.ts';

export async function lookAtMessage(scene: Scene): Promise<void> {
  const message = chooseMessage(scene, chooseConversation(scene), false);
  if (!message) return;
  await scene.ask(scene.person.who, retrieveMessage, { path: { message_id: message.id } });
}

export async function lookAtConversation(scene: Scene): Promise<void> {
  const conversation = chooseConversation(scene);
  if (!conversation) return;
  await scene.ask(scene.person.who, retrieveConversation, {
    path: { conversation_id: conversation.id },
  });
}

export async function readConversation(scene: Scene): Promise<void> {
  const conversation = chooseConversation(scene);
  if (conversation) await walk(scene, { conversation_id: conversation.id });
}

export const readAcross = (scene: Scene): Promise<void> => walk(scene, {});

/** Some pages by their links, mostly onwards, sometimes back again. */
async function walk({ ask, person, random }: Scene, filter: Record<string, string>): Promise<void> {
  const { who } = person;
  let query: Record<string, string> | undefined = { ...filter, ...limit(random) };
  for (let pages = random.integer(1, 5); pages > 0 && query; pages--) {
    const exchange = await ask(who, listMessages, { query });
    if (!isDone(exchange)) return;
    query = linkedQuery(exchange.reply.headers.get('link'), random.happens(0.8) ? 'next' : 'prev');
  }
}
