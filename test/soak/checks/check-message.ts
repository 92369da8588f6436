import { toSeconds } from '../../../shared/clock.ts';
import type { Message } from '../../../shared/contract/resources/message.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Model } from '../model/model.ts';
import type { MessageModel } from '../model/model-types.ts';
import { getPossibleValues, observeValue } from '../model/register.ts';
import { wasEverBlocked } from './known-blocks.ts';
import { isPossibleContact } from './possible-contact.ts';
import { isPossibleReadTime } from './possible-read-time.ts';

/** Checks a returned message. `marksAsRead`: whether the request marks the message as read. */
export function checkMessage(
  model: Model,
  exchange: Exchange,
  message: MessageModel,
  shown: Message,
  marksAsRead: boolean,
): void {
  const { conversation } = message;
  const rules: [string, boolean][] = [
    [`the conversation ${conversation.id}`, shown.conversation_id === conversation.id],
    [`created_at ${message.created_at}`, shown.created_at === message.created_at],
    [`attachments ${message.attachments}`, isSame(shown.attachments, message.attachments)],
    [
      `one of the texts ${JSON.stringify([...getPossibleValues(message.text, exchange)])}`,
      observeValue(message.text, exchange, shown.message),
    ],
    ['updated_at of the text', isPossibleUpdate(exchange, message, shown)],
    ...checkReactions(exchange, message, shown),
    [
      message.read ? `read_at ${message.read.at}` : 'read_at of the first read',
      // After a block, the two contacts may get different read times.
      wasEverBlocked(model, conversation) ||
        isPossibleReadTime(exchange, message, shown.read_at, marksAsRead),
    ],
    [
      `its sender ${message.sent_by} with the profile of the token`,
      isPossibleContact(model, exchange, message.sent_by, shown.contact),
    ],
    ['no message, because it was deleted before', observeValue(message.deleted, exchange, false)],
  ];
  for (const [expected, holds] of rules) {
    if (!holds) model.report({ expected, exchange, conversation });
  }
}

const isSame = (attachments: object[], json: string) => JSON.stringify(attachments) === json;

/**
 * Reports whether `updated_at` is consistent with the edit that stored the text. Assumes that no
 * two edits have the same text.
 */
function isPossibleUpdate(exchange: Exchange, { updates }: MessageModel, shown: Message): boolean {
  const update = updates.get(shown.message);
  if (!update) return true;
  if (update.shown === undefined) update.shown = shown.updated_at;
  if (update.shown !== shown.updated_at) return false;
  return (
    shown.updated_at === null ||
    (shown.updated_at >= toSeconds(update.startedAt) &&
      shown.updated_at <= toSeconds(exchange.endedAt))
  );
}

function checkReactions(
  exchange: Exchange,
  { reactions }: MessageModel,
  shown: Message,
): [string, boolean][] {
  const pairs = shown.reactions.flatMap((map) =>
    Object.entries(map).flatMap(([name, reactors]) => reactors.map((by) => ({ name, by }))),
  );
  const names = shown.reactions.flatMap((map) => Object.keys(map));
  const keys = new Set(pairs.map(reactionKey));
  return [
    ['one map per reaction, sorted by name', isAscending(names)],
    ['reactors sorted', shown.reactions.flatMap(Object.values<string[]>).every(isAscending)],
    ...pairs.map((pair): [string, boolean] => [
      `no reaction '${pair.name}' of ${pair.by}, who never set it`,
      reactions.has(reactionKey(pair)),
    ]),
    ...[...reactions].map(([key, { name, by, set }]): [string, boolean] => [
      `the reaction '${name}' of ${by} as it was last set: ${[...getPossibleValues(set, exchange)]}`,
      observeValue(set, exchange, keys.has(key)),
    ]),
  ];
}

export const reactionKey = ({ name, by }: { name: string; by: string }) => `${name}\n${by}`;

const isAscending = (texts: string[]): boolean =>
  texts.every((text, n) => n === 0 || (texts[n - 1] ?? '') < text);
