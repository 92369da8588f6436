import * as v from 'valibot';
import { Contact } from './contact.ts';
import { isObject } from './objects.ts';
import { Id, OutsideId, Timestamp, text } from './values.ts';

const attachmentBytes = 4096;
const httpsRule = 'must be an https URL';

const objectRule = 'must be an object';

/** Anything the sender wants to attach, kept as given: these four fields are checked, others only counted. */
export const Attachment = v.pipe(
  v.custom<object>(isObject, objectRule),
  v.looseObject(
    {
      name: v.nullish(v.string('must be a string')),
      url: v.nullish(
        v.pipe(v.string(httpsRule), v.url(httpsRule), v.startsWith('https://', httpsRule)),
      ),
      type: v.nullish(v.string('must be a string')),
      size: v.nullish(v.pipe(v.number('must be a number'), v.minValue(0, 'must not be negative'))),
    },
    objectRule,
  ),
  v.check(
    (attachment) => new TextEncoder().encode(JSON.stringify(attachment)).length <= attachmentBytes,
    `must be at most ${attachmentBytes} bytes as JSON`,
  ),
);
export type Attachment = v.InferOutput<typeof Attachment>;

export const Attachments = v.pipe(
  v.array(Attachment, 'must be an array of objects'),
  v.maxLength(10, 'must have at most 10 items'),
);

/** Who has reacted: one map a reaction, sorted by its name; the reactors sorted. */
export const Reactions = v.array(v.record(v.string(), v.array(OutsideId)));

export const MessageText = v.pipe(
  text(1, 10_000),
  v.check((value) => value.trim() !== '', 'must not be blank'),
);

export const Message = v.strictObject({
  id: v.string(),
  conversation_id: v.string(),
  contact: Contact,
  message: v.string(),
  reactions: Reactions,
  attachments: v.array(v.looseObject({})),
  read_at: v.nullable(Timestamp),
  created_at: Timestamp,
  updated_at: v.nullable(Timestamp),
});
export type Message = v.InferOutput<typeof Message>;

export const SendMessage = v.object({
  conversation_id: Id,
  message: MessageText,
  attachments: v.nullish(Attachments),
});

const reactorsRule = 'must be a list of contact ids';
const reactionNameRule =
  'must have names of 1 to 64 characters, without control characters and brackets';
const ReactionName = v.pipe(
  v.string(),
  v.minCodePoints(1, reactionNameRule),
  v.maxCodePoints(64, reactionNameRule),
  v.check((name) => !/[\p{Cc}[\]]/u.test(name) && name.isWellFormed(), reactionNameRule),
);

/** From a reaction's name to those who react so. */
const ReactionMap = v.record(
  ReactionName,
  v.pipe(v.array(v.string(reactorsRule), reactorsRule), v.maxLength(1000, 'must be shorter')),
  'must be a map of reactions, or a list of such maps',
);

/** Enough to take back all that a message can have, and to add as many: and what one update of the table can say. */
const mostNames = 100;

/**
 * For each name that is present, the caller's own reaction becomes what the list says: there when the caller is in it,
 * taken back when not. What others have does not change.
 */
export const ReactionChange = v.pipe(
  v.union(
    [ReactionMap, v.array(ReactionMap)],
    'must be a map of reactions, or a list of such maps',
  ),
  v.check(
    (reactions) => new Set([reactions].flat().flatMap(Object.keys)).size <= mostNames,
    `must have at most ${mostNames} names`,
  ),
);

/** Absent fields stay as they are; null clears the attachments. */
export const UpdateMessage = v.object({
  message: v.optional(MessageText),
  attachments: v.nullish(Attachments),
  reactions: v.optional(ReactionChange),
});
