import { listMessages, sendMessage } from '../../../shared/contract/operations.ts';
import { participates } from '../model/user-groups.ts';
import { chooseConversation } from '../session/choose.ts';
import type { Session } from '../session/session.ts';

const senders = 5;
const readers = 8;
const withinMilliseconds = 200;

/** Sends and lists concurrently. A faulty service could add a message below listed messages. */
export async function burst(session: Session): Promise<void> {
  const { ask, people, random, think, newText } = session;
  const conversation = chooseConversation(session);
  if (!conversation) return;
  const { id: conversation_id } = conversation;
  const others = people
    .map(({ who }) => who)
    .filter((who) => participates(session.model, conversation, who));
  const soon = () => think(random.integer(0, withinMilliseconds));
  const write = async () => {
    await soon();
    const who = random.one(others);
    if (who) await ask(who, sendMessage, { body: { conversation_id, message: newText() } });
  };
  const read = async () => {
    await soon();
    const who = random.one(others);
    if (who) await ask(who, listMessages, { query: { conversation_id, limit: '5' } });
  };
  await Promise.all([
    ...Array.from({ length: senders }, write),
    ...Array.from({ length: readers }, read),
  ]);
}
