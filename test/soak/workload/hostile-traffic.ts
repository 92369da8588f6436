import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import {
  createConversation,
  deleteConversation,
  deleteMessage,
  listMessages,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../../shared/contract/operations.ts';
import { Conversation } from '../../../shared/contract/resources/conversation.ts';
import { Message } from '../../../shared/contract/resources/message.ts';
import { toMessageId } from '../../../shared/ids.ts';
import { isSuccess } from '../exchange/exchange.ts';
import { hasNoDeletion } from '../model/model.ts';
import { chooseConversation, chooseMessage, limit, ownConversations } from '../session/choose.ts';
import { groupNames, type Person, type Session } from '../session/session.ts';
import { tryForeignConversation } from './unauthorized-requests.ts';

export const hostilePerson = async (tokenFor: Session['tokenFor']): Promise<Person> => ({
  caller: await tokenFor('mallory', groupNames),
});

const maxPauseMilliseconds = 300;

/** Sends hostile requests until the traffic stops. The requests must not affect other clients. */
export async function attack(session: Session): Promise<void> {
  const { random, think, stopping } = session;
  while (!stopping.aborted) {
    await random.one(attacks)?.(session);
    await think(random.integer(0, maxPauseMilliseconds));
  }
}

const attacks = [
  sendAndDelete,
  sendAndDelete,
  sendConcurrentDuplicates,
  pinAndUnpin,
  fillReactions,
  openAndDeleteAll,
  requestAnyConversation,
  tryForeignConversation,
  deleteForeignMessages,
];

const range = (count: number) => [...Array(count).keys()];

/** Sends up to 50 messages and deletes all or most of them, to create long tombstone ranges. */
async function sendAndDelete(session: Session): Promise<void> {
  const { sendRequest, person, random, newText } = session;
  const conversation = chooseConversation(session);
  if (!conversation) return;
  const { id: conversation_id } = conversation;
  const keepProbability = random.chance(0.3) ? 0.05 : 0;
  for (let remaining = random.integer(1, 10); remaining > 0; remaining--) {
    await Promise.all(
      range(5).map(async () => {
        const body = { conversation_id, message: newText() };
        const sent = await sendRequest(person.caller, sendMessage, { body });
        if (!isSuccess(sent) || random.chance(keepProbability)) return;
        const message_id = v.parse(Message, sent.reply.body).id;
        await sendRequest(person.caller, deleteMessage, { path: { message_id } });
      }),
    );
  }
}

/**
 * Sends four concurrent duplicates of a request. Three of the requests may each leave a reserved
 * sequence number unused.
 */
async function sendConcurrentDuplicates(session: Session): Promise<void> {
  const { sendRequest, person, newText } = session;
  const conversation = chooseConversation(session);
  if (!conversation) return;
  const body = { conversation_id: conversation.id, message: newText() };
  const headers = { 'Idempotency-Key': randomUUID() };
  await Promise.all(range(4).map(() => sendRequest(person.caller, sendMessage, { body, headers })));
}

/** Pins and unpins messages, so that transactions run while other clients send messages. */
async function pinAndUnpin(session: Session): Promise<void> {
  const { sendRequest, person, random } = session;
  const conversation = chooseConversation(session);
  if (!conversation) return;
  const path = { conversation_id: conversation.id };
  for (let remaining = random.integer(1, 5); remaining > 0; remaining--) {
    const message = chooseMessage(session, conversation, false);
    await Promise.all(
      [message?.id ?? null, null].map((pinned_message_id) =>
        sendRequest(person.caller, updateConversation, { path, body: { pinned_message_id } }),
      ),
    );
  }
}

/** Long reaction names. They are few enough that other people can still add reactions. */
const names = range(40).map((n) => `${n}`.padEnd(64, '!'));

async function fillReactions(session: Session): Promise<void> {
  const { sendRequest, person, random } = session;
  const message = chooseMessage(session, chooseConversation(session), false);
  if (!message) return;
  const reactors = random.chance(0.7) ? [person.caller.id] : [];
  const reactions = Object.fromEntries(names.map((name) => [name, reactors]));
  await sendRequest(person.caller, updateMessage, {
    path: { message_id: message.id },
    body: { reactions },
  });
}

const maxOwn = 60;

/**
 * Creates unsolicited conversations that contain only a deleted message, and deletes about half of
 * them.
 */
async function openAndDeleteAll(session: Session): Promise<void> {
  const { sendRequest, person, people, random, model, newText } = session;
  const victim = random.one(people);
  if (!victim || ownConversations(session).length > maxOwn) return;
  const known = new Set(model.conversations.keys());
  await Promise.all(
    range(5).map(() =>
      sendRequest(person.caller, createConversation, { body: { contact_id: victim.caller.id } }),
    ),
  );
  const opened = [...model.conversations.values()].filter(
    (one) => !known.has(one.id) && one.created_by === person.caller.id,
  );
  for (const { id: conversation_id } of opened) {
    const sent = await sendRequest(person.caller, sendMessage, {
      body: { conversation_id, message: newText() },
    });
    if (!isSuccess(sent)) continue;
    const message_id = v.parse(Message, sent.reply.body).id;
    await sendRequest(person.caller, deleteMessage, { path: { message_id } });
    if (random.chance(0.5)) {
      await sendRequest(person.caller, deleteConversation, { path: { conversation_id } });
    }
  }
}

async function deleteForeignMessages(session: Session): Promise<void> {
  const { sendRequest, person } = session;
  const message = chooseMessage(session, chooseConversation(session), false);
  if (!message || message.sent_by === person.caller.id) return;
  await sendRequest(person.caller, deleteMessage, { path: { message_id: message.id } });
}

const maxFinal = 50;

/**
 * Covers cases that random traffic may have missed: receives a message, and attempts to delete
 * messages of other participants.
 */
export async function finalAttack(session: Session): Promise<void> {
  const { sendRequest, person, people, newText } = session;
  const [sender] = people;
  if (sender) {
    const body = { contact_id: person.caller.id };
    const { reply } = await sendRequest(sender.caller, createConversation, { body });
    const opened = v.safeParse(Conversation, reply.body);
    if (opened.success) {
      const message = { conversation_id: opened.output.id, message: newText() };
      await sendRequest(sender.caller, sendMessage, { body: message });
    }
  }
  const ofOthers = ownConversations(session).flatMap(({ log }) =>
    log.filter((message) => hasNoDeletion(message) && message.sent_by !== person.caller.id),
  );
  for (const { id } of ofOthers.slice(-maxFinal)) {
    await sendRequest(person.caller, deleteMessage, { path: { message_id: id } });
  }
}

/** Lists messages, starting at the id of a deleted or nonexistent message. */
async function requestAnyConversation(session: Session): Promise<void> {
  const { sendRequest, person, random } = session;
  const conversation = chooseConversation(session);
  if (!conversation) return;
  const { id: conversationId, log } = conversation;
  const deleted = random.one(log.filter((one) => !hasNoDeletion(one)));
  const sequence = random.one([0, 1, 1000, 2 ** 38]) ?? 0;
  const unknownId = toMessageId({
    conversationId,
    sequence,
    sentAt: random.one([0, Date.now()]) ?? 0,
  });
  const cursor = deleted && random.chance(0.7) ? deleted.id : unknownId;
  const parameter = random.chance(0.5) ? 'starting_after' : 'ending_before';
  await sendRequest(person.caller, listMessages, {
    query: { conversation_id: conversationId, ...limit(random), [parameter]: cursor },
  });
}
