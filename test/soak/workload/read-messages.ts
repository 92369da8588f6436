import {
  listMessages,
  listReaders,
  retrieveContact,
  retrieveConversation,
  retrieveMessage,
} from '../../../shared/contract/operations.ts';
import { getLinkQuery } from '../../response-invariants/page-rules.ts';
import type { Random } from '../client/seeded-random.ts';
import { isSuccess } from '../exchange/exchange.ts';
import { chooseConversation, chooseMessage, limit } from '../session/choose.ts';
import type { Session } from '../session/session.ts';

/** Returns `peek` for a fifth of the reads. */
const peek = (random: Random) => (random.chance(0.2) ? { query: { peek: 'true' } } : {});

export const withUnreadCount = { 'expand[]': 'unread_count' };

export async function requestMessage(session: Session): Promise<void> {
  const message = chooseMessage(session, chooseConversation(session), false);
  if (!message) return;
  await session.sendRequest(session.person.caller, retrieveMessage, {
    path: { message_id: message.id },
    ...peek(session.random),
  });
}

export async function requestConversation(session: Session): Promise<void> {
  const conversation = chooseConversation(session);
  if (!conversation) return;
  await session.sendRequest(session.person.caller, retrieveConversation, {
    path: { conversation_id: conversation.id },
    ...(session.random.chance(0.5) && { query: withUnreadCount }),
  });
}

export async function requestReaders(session: Session): Promise<void> {
  const conversation = chooseConversation(session);
  if (!conversation) return;
  const call = { path: { conversation_id: conversation.id }, query: limit(session.random) };
  await session.sendRequest(session.person.caller, listReaders, call);
}

export async function requestContact({
  sendRequest,
  person,
  people,
  random,
}: Session): Promise<void> {
  const contact = random.chance(0.9) ? random.one(people)?.caller.id : undefined;
  await sendRequest(person.caller, retrieveContact, { path: { contact_id: contact ?? 'unknown' } });
}

export async function readConversation(session: Session): Promise<void> {
  const conversation = chooseConversation(session);
  if (!conversation) return;
  await walk(session, { conversation_id: conversation.id, ...peek(session.random).query });
}

export const readAcross = (session: Session): Promise<void> => walk(session, {});

async function walk(
  { sendRequest, person, random }: Session,
  filter: Record<string, string>,
): Promise<void> {
  const { caller } = person;
  let query: Record<string, string> | undefined = { ...filter, ...limit(random) };
  for (let pages = random.integer(1, 5); pages > 0 && query; pages--) {
    const exchange = await sendRequest(caller, listMessages, { query });
    if (!isSuccess(exchange)) return;
    query = getLinkQuery(exchange.reply.headers.get('link'), random.chance(0.8) ? 'next' : 'prev');
  }
}
