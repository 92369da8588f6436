import {
  deleteMessage,
  listMessages,
  retrieveConversation,
  retrieveMessage,
  sendMessage,
  updateConversation,
  updateMessage,
} from '../../../shared/contract/operations.ts';
import type { Caller } from '../exchange/exchange.ts';
import type { ConversationModel } from '../model/model-types.ts';
import { chooseAnyConversation } from '../session/choose.ts';
import type { Session } from '../session/session.ts';

/** Sends a request about any conversation, even if it is deleted or inaccessible. */
export async function tryForeignConversation(session: Session): Promise<void> {
  const conversation = chooseAnyConversation(session);
  if (conversation) await tryEveryOperation(session, session.person.caller, conversation);
}

/** Sends a random request about a conversation or one of its messages, allowed or not. */
export async function tryEveryOperation(
  { sendRequest, random, newText }: Session,
  caller: Caller,
  { id: conversation_id, log }: ConversationModel,
): Promise<void> {
  const message = random.one(log);
  const message_id = message?.id ?? `${conversation_id}000000010000000000`;
  const attempts = [
    () => sendRequest(caller, retrieveConversation, { path: { conversation_id } }),
    () => sendRequest(caller, listMessages, { query: { conversation_id } }),
    () => sendRequest(caller, sendMessage, { body: { conversation_id, message: newText() } }),
    () =>
      sendRequest(caller, updateConversation, {
        path: { conversation_id },
        body: { is_muted: true },
      }),
    () => sendRequest(caller, retrieveMessage, { path: { message_id } }),
    () =>
      sendRequest(caller, updateMessage, {
        path: { message_id },
        body: { reactions: { ok: [caller.id] } },
      }),
    ...(message?.sent_by === caller.id
      ? []
      : [() => sendRequest(caller, deleteMessage, { path: { message_id } })]),
  ];
  await random.one(attempts)?.();
}
