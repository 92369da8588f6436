import {
  createBlock,
  createConversation,
  deleteBlock,
  listBlocks,
  sendMessage,
  updateMessage,
} from '../../../shared/contract/operations.ts';
import { chooseMessage } from '../session/choose.ts';
import { type Session, strangerIds } from '../session/session.ts';

/**
 * Blocks or unblocks a stranger, then lists the blocks. During and after the request, the
 * stranger sends messages or reacts in the direct conversation.
 */
export async function blockContact(session: Session): Promise<void> {
  const { sendRequest, model, newText, person, random, tokenFor } = session;
  const { caller } = person;
  const contact_id = random.one(strangerIds) ?? '';
  const stranger = await tokenFor(contact_id, []);
  await sendRequest(stranger, createConversation, {
    body: { contact_id: caller.id, distinct: true },
  });
  const conversation = [...model.conversations.values()].findLast(
    ({ created_by, contact_id: other, group_id }) =>
      group_id === null &&
      [created_by, other].sort().join() === [caller.id, contact_id].sort().join(),
  );
  const write = async () => {
    if (!conversation) return;
    const body = { conversation_id: conversation.id, message: newText() };
    const message = chooseMessage(session, conversation, false);
    if (!message || random.chance(0.7)) await sendRequest(stranger, sendMessage, { body });
    else {
      const reactions = { ok: random.chance(0.6) ? [contact_id] : [] };
      await sendRequest(stranger, updateMessage, {
        path: { message_id: message.id },
        body: { reactions },
      });
    }
  };
  const row = random.chance(0.6) ? createBlock : deleteBlock;
  await Promise.all([sendRequest(caller, row, { path: { contact_id } }), write(), write()]);
  await write();
  await sendRequest(caller, listBlocks);
}
