import * as v from 'valibot';
import { Contact } from './contact.ts';
import { Id, OutsideId, Timestamp, text } from './values.ts';

const attachmentBytes = 4096;
const httpsRule = 'must be an https URL';

const objectRule = 'must be an object';
/** valibot's own object schemas take a list for an object. */
const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
