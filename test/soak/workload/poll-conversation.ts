import * as v from 'valibot';
import { listMessages } from '../../../shared/contract/operations.ts';
import { isSuccess } from '../exchange/exchange.ts';
import { chooseConversation, limit } from '../session/choose.ts';
import type { Session } from '../session/session.ts';

/** Polls one conversation after another for new messages until the traffic stops. */
export async function pollConversation(session: Session): Promise<void> {
  const { random, think, stopping } = session;
  while (!stopping.aborted) {
    const conversation = chooseConversation(session);
    if (conversation) await poll(session, conversation.id);
    await think(random.integer(100, 1000));
  }
}

/** Polls a conversation. The checker reports a page that skips a message. */
async function poll(session: Session, conversation_id: string): Promise<void> {
  const { sendRequest, person, random, think, stopping } = session;
  let newest: string | undefined;
  for (let polls = random.integer(5, 30); polls > 0 && !stopping.aborted; polls--) {
    const exchange = await sendRequest(person.caller, listMessages, {
      query: {
        conversation_id,
        ...limit(random),
        ...(newest !== undefined && { ending_before: newest }),
      },
    });
    if (!isSuccess(exchange)) return;
    const { data } = v.parse(listMessages.reply, exchange.reply.body);
    newest = data[0]?.id ?? newest;
    await think(random.integer(50, 600));
  }
}
