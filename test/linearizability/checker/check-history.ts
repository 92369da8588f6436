import { conversationModel } from './conversation-model.ts';
import { formatHistory } from './format-history.ts';
import { findMessages, messagesIn, type Operation, personOf } from './history.ts';
import { linearize } from './linearize.ts';

/** Returns the violation and the formatted history, or undefined if the history is linearizable. */
export function checkHistory(operations: readonly Operation[]): string | undefined {
  const ids = idsOf(operations);
  if (typeof ids === 'string') return [ids, ...formatHistory(operations)].join('\n');
  const isUnseen = ({ request, reply }: Operation) =>
    !reply && request.kind === 'send' && !ids.has(request.text);
  const unseenSince = Math.min(...operations.filter(isUnseen).map(({ invoked }) => invoked));
  const unexplained = linearize(
    conversationModel({
      ids,
      seenAt: getFirstSeen(operations),
      unseenSince,
      senders: getSenders(operations),
      overlapsBlock: (one) =>
        operations.some(
          (other) =>
            other.request.kind === 'block' &&
            other.invoked < one.responded &&
            one.invoked < other.responded,
        ),
    }),
    operations
      .filter((operation) => !isUnseen(operation) && !isUncertain(operation, operations))
      .flatMap((operation) => [operation, ...toOpenings(operation)]),
  );
  if (!unexplained) return undefined;
  const logs = unexplained.states.map(({ log, deleted, isDeleted }) => {
    const messages = log.map((text) => (deleted.has(text) ? `(${text})` : text)).join(', ');
    return `  ${messages || 'nothing'}${isDeleted ? ', and the conversation is deleted' : ''}`;
  });
  return [
    'No order of these operations explains the reply marked with ✗.',
    ...formatHistory(operations, unexplained.at),
    'Possible messages before that reply, oldest first; deleted messages in parentheses:',
    ...new Set(logs),
  ].join('\n');
}

/**
 * Returns a list request's update of the read position as a separate operation, because the update
 * may take effect before or after the service reads the messages.
 */
function toOpenings(operation: Operation): Operation[] {
  const { request, reply } = operation;
  if (request.kind !== 'list' || request.peek || reply?.kind !== 'page') return [];
  return reply.messages.slice(0, 1).map((message) => ({
    ...operation,
    request: { kind: 'read up to', message },
    reply: { kind: 'noted' },
  }));
}

/**
 * Reports whether an unread count is uncertain because a list request by the same person got no
 * reply.
 */
const isUncertain = (one: Operation, operations: readonly Operation[]): boolean =>
  one.reply?.kind === 'counted' &&
  operations.some(
    (other) =>
      other.request.kind === 'list' &&
      !other.request.peek &&
      !other.reply &&
      personOf(other) === personOf(one) &&
      other.invoked < one.responded,
  );

const getSenders = (operations: readonly Operation[]): ReadonlyMap<string, string> =>
  new Map(
    operations.flatMap((operation) =>
      operation.request.kind === 'send' ? [[operation.request.text, personOf(operation)]] : [],
    ),
  );

function getFirstSeen(operations: readonly Operation[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { reply, responded } of operations) {
    for (const { text } of reply ? messagesIn(reply) : []) {
      times.set(text, Math.min(responded, times.get(text) ?? responded));
    }
  }
  return times;
}

/** Returns the message ids by text, or a description of the first contradiction. */
function idsOf(operations: readonly Operation[]): ReadonlyMap<string, string> | string {
  const ids = new Map<string, string>();
  const texts = new Map<string, string>();
  for (const { id, text } of operations.flatMap(findMessages)) {
    const [otherId = id, otherText = text] = [ids.get(text), texts.get(id)];
    if (otherId !== id) return `${text} has two ids, ${otherId} and ${id}.`;
    if (otherText !== text) return `${id} has two texts, ${otherText} and ${text}.`;
    ids.set(text, id);
    texts.set(id, text);
  }
  for (const { request, reply } of operations) {
    if (!reply || !('message' in reply)) continue;
    const expected =
      request.kind === 'send' ? request.text : 'message' in request && request.message.text;
    if (reply.message.text !== expected)
      return `The reply contains ${reply.message.text}, not ${expected}.`;
  }
  return ids;
}
