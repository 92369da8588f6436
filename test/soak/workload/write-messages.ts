import { randomUUID } from 'node:crypto';
import { deleteMessage, sendMessage, updateMessage } from '../../../shared/contract/operations.ts';
import { chooseConversation, chooseMessage, chooseMostlyOwn } from '../session/choose.ts';
import type { Session } from '../session/session.ts';
import { repeatUntilKnown } from './repeat-request.ts';

const attachments = [{ name: 'menu.pdf', url: 'https://files.example.com/menu.pdf', size: 1024 }];

function newMessage({ newText, random }: Session, conversation_id: string) {
  return {
    conversation_id,
    message: newText(),
    ...(random.chance(0.1) && { attachments }),
  };
}

export async function send(session: Session): Promise<void> {
  const conversation = chooseConversation(session);
  if (!conversation) return;
  const { sendRequest, person, random } = session;
  for (let remaining = random.chance(0.2) ? random.integer(2, 5) : 1; remaining > 0; remaining--) {
    await sendRequest(person.caller, sendMessage, { body: newMessage(session, conversation.id) });
  }
}

export async function sendOnce(session: Session): Promise<void> {
  const conversation = chooseConversation(session);
  if (conversation)
    await repeatUntilKnown(session, sendMessage, newMessage(session, conversation.id));
}

/** Reuses a key for a different request, which the API must reject. */
export async function reuseKey(session: Session): Promise<void> {
  const conversation = chooseConversation(session);
  if (!conversation) return;
  const headers = { 'Idempotency-Key': randomUUID() };
  for (let times = 0; times < 2; times++) {
    const body = newMessage(session, conversation.id);
    await session.sendRequest(session.person.caller, sendMessage, { body, headers });
  }
}

export async function removeMessage(session: Session): Promise<void> {
  const message = chooseMostlyOwn(session, chooseConversation(session));
  if (!message) return;
  await session.sendRequest(session.person.caller, deleteMessage, {
    path: { message_id: message.id },
  });
}

export async function edit(session: Session): Promise<void> {
  const message = chooseMostlyOwn(session, chooseConversation(session));
  if (!message) return;
  await session.sendRequest(session.person.caller, updateMessage, {
    path: { message_id: message.id },
    body: { message: session.newText() },
  });
}

const reactionNames = ['ok', '🎉', 'heart', 'toString'];

export async function react(session: Session): Promise<void> {
  const { random, person, sendRequest } = session;
  const message = chooseMessage(session, chooseConversation(session), false);
  if (!message) return;
  const names = reactionNames.filter(() => random.chance(0.4));
  const reactions = Object.fromEntries(
    names.map((name) => [name, random.chance(0.6) ? [person.caller.id] : []]),
  );
  await sendRequest(person.caller, updateMessage, {
    path: { message_id: message.id },
    body: { reactions },
  });
}
