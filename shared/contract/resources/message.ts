import * as v from 'valibot';
import { isBlank, isInlineText, isWellFormed, wellFormedRule } from '../schema/characters.ts';
import {
  ExternalId,
  HttpsUrl,
  Id,
  Label,
  objectRule,
  PlainObject,
  Timestamp,
  text,
} from '../schema/field-types.ts';
import { listSchema } from '../schema/list-schema.ts';
import { messageLimits } from '../schema/message-limits.ts';
import { isObject } from '../schema/objects.ts';
import { attachmentPath } from './attachment.ts';
import { Contact } from './contact.ts';

const uploadPath = new RegExp(`^${attachmentPath}[0-9A-Z]{52}$`);
const UploadPath = v.pipe(
  // This check comes first, so that the union returns the errors of `HttpsUrl` for URLs that are
  // not upload paths.
  v.custom<string>((url) => typeof url === 'string' && uploadPath.test(url)),
  v.string(),
  v.regex(uploadPath),
);

/**
 * An uploaded file, identified by `id`, or a file stored elsewhere. Additional fields of a file
 * stored elsewhere are stored unchanged. All fields count toward the size limit and must be
 * well-formed Unicode.
 */
export const Attachment = v.pipe(
  PlainObject,
  v.looseObject(
    {
      name: v.nullish(v.pipe(Label, v.description('File name.'))),
      url: v.nullish(
        v.pipe(
          v.union([HttpsUrl, UploadPath], 'must be an https URL'),
          v.description('URL of the file. For an uploaded file, a path of this API.'),
        ),
      ),
      type: v.nullish(v.pipe(Label, v.description('Media type, such as `image/jpeg`.'))),
      size: v.nullish(
        v.pipe(
          v.number('must be a number'),
          v.minValue(0, 'must not be negative'),
          v.description('Size in bytes.'),
        ),
      ),
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

/** One map per reaction name, sorted by name, with sorted contact ids. */
export const Reactions = v.array(v.record(v.string(), v.array(ExternalId)));

const MessageText = v.pipe(
  text(0, messageLimits.textCharacters),
  v.check((value) => value === '' || !isBlank(value), 'must not be blank'),
);

export const emptyTextRule = 'must not be empty if the message has no attachments';

const messageFields = {
  id: v.string(),
  conversation_id: v.string(),
  contact: Contact,
  message: v.string(),
  reactions: Reactions,
  attachments: v.array(Attachment),
  read_at: v.nullable(
    v.pipe(
      Timestamp,
      v.description('Unix time at which a user other than the sender first read the message.'),
    ),
  ),
  created_at: Timestamp,
  updated_at: v.nullable(Timestamp),
};

export const Message = v.strictObject({
  ...messageFields,
  reply_to_id: v.optional(
    v.pipe(
      v.nullable(v.string()),
      v.description('Only with `expand[]=reply_to`: id of the quoted message, or null.'),
    ),
  ),
  reply_to: v.optional(
    v.pipe(
      v.nullable(v.strictObject(messageFields)),
      v.description(
        'Only with `expand[]=reply_to`: the quoted message as it is now; null if there is none or it was deleted.',
      ),
    ),
  ),
  mentions: v.optional(
    v.pipe(
      v.array(ExternalId),
      v.description('Only with `expand[]=mentions`: ids of the mentioned contacts, as sent.'),
    ),
  ),
});
export type Message = v.InferOutput<typeof Message>;

export const MessagePage = listSchema(Message);

export const SendMessage = v.pipe(
  v.object({
    conversation_id: v.pipe(Id, v.description('Conversation to which the message is appended.')),
    message: v.pipe(
      MessageText,
      v.description('Text of the message. May be empty if the message has attachments.'),
    ),
    attachments: v.nullish(
      v.pipe(
        Attachments,
        v.description(
          'Uploaded files, by `id`, and files stored elsewhere, whose additional fields are kept. For an uploaded file, replies contain `id`, `name`, `type`, `size`, `url` and `status`.',
        ),
      ),
    ),
    reply_to_id: v.optional(v.pipe(Id, v.description('Quoted message of the same conversation.'))),
    mentions: v.optional(
      v.pipe(
        v.array(ExternalId, 'must be a list of contact ids'),
        v.maxLength(messageLimits.mentions, `must have at most ${messageLimits.mentions} items`),
        v.description(
          'Ids of mentioned contacts. The id of a contact who does not participate is stored, but the contact is not notified.',
        ),
      ),
    ),
  }),
  v.forward(
    v.partialCheck(
      [['message'], ['attachments']],
      ({ message, attachments }) => message !== '' || (attachments ?? []).length > 0,
      emptyTextRule,
    ),
    ['message'],
  ),
);

const reactionNameRule = `must have names of 1 to ${messageLimits.reactionNameCharacters} characters, with at least one visible character and no brackets, control characters, line breaks or characters that change the text direction`;
const ReactionName = v.pipe(
  v.string(),
  v.minCodePoints(1, reactionNameRule),
  v.maxCodePoints(messageLimits.reactionNameCharacters, reactionNameRule),
  v.check((name) => isInlineText(name) && !/[[\]]/.test(name), reactionNameRule),
);

const reactorsRule = 'must be a list of contact ids';
const Reactors = v.pipe(
  v.array(v.string(reactorsRule), reactorsRule),
  v.maxLength(messageLimits.reactions, `must have at most ${messageLimits.reactions} items`),
);

/** Merges reaction maps by name. Normalizes names (NFC), so that equivalent encodings are equal. */
export function mergeReactions(maps: Record<string, string[]>[]): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const [name, reactors] of maps.flatMap(Object.entries<string[]>)) {
    const composedName = name.normalize('NFC');
    byName.set(composedName, [...(byName.get(composedName) ?? []), ...reactors]);
  }
  return byName;
}

const reactionMapRule = 'must be a map of reactions, or a list of such maps';
const ReactionMap = v.pipe(
  v.custom<object>(isObject, reactionMapRule),
  v.record(v.string(), Reactors, reactionMapRule),
  v.transform((map) => Object.fromEntries(mergeReactions([map]))),
  v.record(ReactionName, Reactors, reactionMapRule),
);

/**
 * Maximum number of reaction names per request: an update can remove all names of a message and add
 * as many new ones.
 */
const maxNames = 2 * messageLimits.reactionNames;

/**
 * Sets the caller's own reactions: adds a reaction if its list contains the caller, and otherwise
 * removes it.
 */
export const ReactionChange = v.pipe(
  v.union([ReactionMap, v.array(ReactionMap)], reactionMapRule),
  v.check(
    (reactions) => new Set([reactions].flat().flatMap(Object.keys)).size <= maxNames,
    `must have at most ${maxNames} names`,
  ),
  v.description(
    'Sets the caller\'s own reactions: `{"👍": ["ann"]}` adds ann\'s reaction, and `{"👍": []}` removes it.',
  ),
);

/** Change to a message. Absent fields stay unchanged; null clears the attachments. */
export const UpdateMessage = v.pipe(
  v.object({
    message: v.optional(
      v.pipe(
        MessageText,
        v.description('New text. May be empty if the message has attachments after the update.'),
      ),
    ),
    attachments: v.nullish(
      v.pipe(
        Attachments,
        v.description(
          'Replaces all attachments; null removes them. A message without text must keep at least one.',
        ),
      ),
    ),
    reactions: v.optional(ReactionChange),
  }),
  v.forward(
    v.partialCheck(
      [['message'], ['attachments']],
      ({ message, attachments }) =>
        message !== '' || attachments === undefined || (attachments ?? []).length > 0,
      emptyTextRule,
    ),
    ['message'],
  ),
);
