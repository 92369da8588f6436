import type { Message } from '../../../shared/contract/resources/message.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isInRanges } from '../model/id-ranges.ts';
import { addToLog, createMessageModel } from '../model/message-model.ts';
import type { Model } from '../model/model.ts';
import type { ConversationModel, MessageModel, SendModel } from '../model/model-types.ts';

export function getOrAddMessage(
  model: Model,
  exchange: Exchange,
  conversation: ConversationModel,
  shown: Message,
): MessageModel | undefined {
  const known = model.messages.get(shown.id);
  if (known) return known;
  const send = conversation.sends.get(shown.message);
  if (send) return getMessageOfSend(model, exchange, conversation, send, shown);
  model.report({ expected: 'no message that was never sent', exchange, conversation });
  return undefined;
}

/** Returns the message that the send created, and records the message if it is new. */
export function getMessageOfSend(
  model: Model,
  exchange: Exchange,
  conversation: ConversationModel,
  send: SendModel,
  shown: Message,
): MessageModel | undefined {
  const fail = (expected: string) => model.report({ expected, exchange, conversation });
  if (send.message) {
    if (send.message.id !== shown.id) {
      fail(`the message once: '${send.text}' already has the id ${send.message.id}`);
    }
    send.message.knownSince = Math.min(send.message.knownSince, exchange.ended);
    return send.message;
  }
  if (model.messages.has(shown.id)) fail('a unique id for each message');
  if (send.refused) fail('no message, as sending it was refused');
  if (shown.id <= send.previousId) {
    fail(`an id above ${send.previousId}, which existed before this message was sent`);
  }
  if (isInRanges(conversation.completeRanges, shown.id)) {
    fail('no new message below messages already listed: a polling client would miss it');
  }
  const message = createMessageModel(conversation, send, shown, exchange.ended);
  send.message = message;
  model.messages.set(message.id, message);
  addToLog(conversation.log, message);
  return message;
}
