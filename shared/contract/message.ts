import * as v from 'valibot';
import { isBlank, isName, isWellFormed, wellFormedRule } from './characters.ts';
import { Contact } from './contact.ts';
import { listOf } from './list.ts';
import { messageLimits } from './message-limits.ts';
import { isObject } from './objects.ts';
import { HttpsUrl, Id, Label, OutsideId, Timestamp, text } from './values.ts';

const objectRule = 'must be an object';

/**
 * Anything the sender wants to attach, kept as given: these four fields are checked; the others are
 * counted, and are text that every reader of JSON takes.
 */
export const Attachment = v.pipe(
  v.custom<object>(isObject, objectRule),
  v.looseObject(
    {
      name: v.nullish(Label),
      url: v.nullish(HttpsUrl),
      type: v.nullish(Label),
      size: v.nullish(v.pipe(v.number('must be a number'), v.minValue(0, 'must not be negative'))),
    },
    objectRule,
  ),
  v.check((attachment) => isWellFormed(attachment), wellFormedRule),
  v.check(
    (attachment) =>
      new TextEncoder().encode(JSON.stringify(attachment)).length <= messageLimits.attachmentBytes,
    `must be at most ${messageLimits.attachmentBytes} bytes as JSON`,
  ),
);
export type Attachment = v.InferOutput<typeof Attachment>;

export const Attachments = v.pipe(
  v.array(Attachment, 'must be an array of objects'),
  v.maxLength(messageLimits.attachments, `must have at most ${messageLimits.attachments} items`),
);

/** Who has reacted: one map a reaction, sorted by its name; the reactors sorted. */
export const Reactions = v.array(v.record(v.string(), v.array(OutsideId)));

const MessageText = v.pipe(
  text(1, messageLimits.textCharacters),
  v.check((value) => !isBlank(value), 'must not be blank'),
);

export const Message = v.strictObject({
  id: v.string(),
  conversation_id: v.string(),
  contact: Contact,
  message: v.string(),
  reactions: Reactions,
  attachments: v.array(Attachment),
  read_at: v.nullable(Timestamp),
  created_at: Timestamp,
  updated_at: v.nullable(Timestamp),
});
export type Message = v.InferOutput<typeof Message>;

export const MessagePage = listOf(Message);

export const SendMessage = v.object({
  conversation_id: Id,
  message: MessageText,
  attachments: v.nullish(Attachments),
});

const reactionNameRule = `must have names of 1 to ${messageLimits.reactionNameCharacters} characters, with something visible in each, and no brackets, control characters, line breaks or changes of the writing direction`;
const ReactionName = v.pipe(
  v.string(),
  v.minCodePoints(1, reactionNameRule),
  v.maxCodePoints(messageLimits.reactionNameCharacters, reactionNameRule),
  v.check((name) => isName(name) && !/[[\]]/.test(name), reactionNameRule),
);

const reactorsRule = 'must be a list of contact ids';
const Reactors = v.pipe(
  v.array(v.string(reactorsRule), reactorsRule),
  v.maxLength(messageLimits.reactions, `must have at most ${messageLimits.reactions} items`),
);

/**
 * Names that look alike are one, however their letters are put together: all are composed (NFC)
 * before they count.
 */
function composed(map: Record<string, string[]>): Record<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const [name, reactors] of Object.entries(map)) {
    const composedName = name.normalize('NFC');
    byName.set(composedName, [...(byName.get(composedName) ?? []), ...reactors]);
  }
  return Object.fromEntries(byName);
}

const mapRule = 'must be a map of reactions, or a list of such maps';
/** From a reaction's name to those who react so. */
const ReactionMap = v.pipe(
  v.custom<object>(isObject, mapRule),
  v.record(v.string(), Reactors, mapRule),
  v.transform(composed),
  v.record(ReactionName, Reactors, mapRule),
);

/**
 * Enough to take back all that a message can have, and to add as many: and what one update of the
 * table can say.
 */
const maxNames = 2 * messageLimits.reactionNames;

/**
 * For each name that is present, the caller's own reaction becomes what the list says: there when
 * the caller is in it, taken back when not. What others have does not change.
 */
export const ReactionChange = v.pipe(
  v.union([ReactionMap, v.array(ReactionMap)], mapRule),
  v.check(
    (reactions) => new Set([reactions].flat().flatMap(Object.keys)).size <= maxNames,
    `must have at most ${maxNames} names`,
  ),
);

/** Absent fields stay as they are; null clears the attachments. */
export const UpdateMessage = v.object({
  message: v.optional(MessageText),
  attachments: v.nullish(Attachments),
  reactions: v.optional(ReactionChange),
});
