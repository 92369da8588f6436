import { listMessages, sendMessage } from '../../../shared/contract/operations.ts';
import { participates } from '../model/user-groups.ts';
import { chooseConversation } from '../session/choose.ts';
import type { Session } from '../session/session.ts';

const senders = 5;
const readers = 8;
const withinMilliseconds = 200;

/**
 * Sends and lists messages concurrently. A faulty service could assign a new message an id
 * lower than those of messages already listed.
 */
export async function burst(session: Session): Promise<void> {
  const { sendRequest, people, random, think, newText } = session;
  const conversation = chooseConversation(session);
  if (!conversation) return;
  const { id: conversation_id } = conversation;
  const others = people
    .map(({ caller }) => caller)
    .filter((caller) => participates(session.model, conversation, caller));
  const waitBriefly = () => think(random.integer(0, withinMilliseconds));
  const write = async () => {
    await waitBriefly();
    const caller = random.one(others);
    if (caller)
      await sendRequest(caller, sendMessage, { body: { conversation_id, message: newText() } });
  };
  const read = async () => {
    await waitBriefly();
    const caller = random.one(others);
    if (caller) await sendRequest(caller, listMessages, { query: { conversation_id, limit: '5' } });
  };
  await Promise.all([
    ...Array.from({ length: senders }, write),
    ...Array.from({ length: readers }, read),
  ]);
}
