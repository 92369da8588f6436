import {
  listMessages,
  retrieveContact,
  retrieveConversation,
  retrieveMessage,
} from '../../../shared/contract/operations.ts';
import { linkedQuery } from '../../oracle/page.ts';
import { isDone } from '../exchange.ts';
import type { Random } from '../random.ts';
import { chooseConversation, chooseMessage, limit } from './choose.ts';
import type { Session } from './person.ts';

/** Now and then what is read is not to be marked. */
const peek = (random: Random) => (random.happens(0.2) ? { query: { peek: 'true' } } : {});

/** With what is unread. */
export const counted = { 'expand[]': 'unread_count' };

export async function lookAtMessage(session: Session): Promise<void> {
  const message = chooseMessage(session, chooseConversation(session), false);
  if (!message) return;
  await session.ask(session.person.who, retrieveMessage, {
    path: { message_id: message.id },
    ...peek(session.random),
  });
}

export async function lookAtConversation(session: Session): Promise<void> {
  const conversation = chooseConversation(session);
  if (!conversation) return;
  await session.ask(session.person.who, retrieveConversation, {
    path: { conversation_id: conversation.id },
    ...(session.random.happens(0.5) && { query: counted }),
  });
}

/** Anybody's, shared conversation or not, and now and then of nobody. */
export async function lookAtContact({ ask, person, people, random }: Session): Promise<void> {
  const contact = random.happens(0.9) ? random.one(people)?.who.id : undefined;
  await ask(person.who, retrieveContact, { path: { contact_id: contact ?? 'nobody' } });
}

export async function readConversation(session: Session): Promise<void> {
  const conversation = chooseConversation(session);
  if (!conversation) return;
  await walk(session, { conversation_id: conversation.id, ...peek(session.random).query });
}

export const readAcross = (session: Session): Promise<void> => walk(session, {});

/** Some pages by their links, mostly onwards, sometimes back again. */
async function walk(
  { ask, person, random }: Session,
  filter: Record<string, string>,
): Promise<void> {
  const { who } = person;
  let query: Record<string, string> | undefined = { ...filter, ...limit(random) };
  for (let pages = random.integer(1, 5); pages > 0 && query; pages--) {
    const exchange = await ask(who, listMessages, { query });
    if (!isDone(exchange)) return;
    query = linkedQuery(exchange.reply.headers.get('link'), random.happens(0.8) ? 'next' : 'prev');
  }
}
