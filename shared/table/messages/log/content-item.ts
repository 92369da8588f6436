import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { clock } from '../../../clock.ts';
import { lookUpItems, putNew } from '../../calls/access.ts';
import { contentKey, type Key } from '../../keys/keys.ts';
import {
  countContentBytes,
  type MessageItem,
  type MessageWithContent,
  type StoredContent,
} from './message-item.ts';

/**
 * Maximum bytes of text and attachments in a log entry. Larger content is in a separate item, so
 * that it adds neither to the read cost of counts nor to the write cost of reactions and read
 * marks.
 */
export const maxInlineBytes = 1024;

/**
 * Large content of a message. Immutable: an edit stores its content in the log entry or in a new
 * item, and the purge worker removes the old item (see remove-unused-content.ts).
 */
const ContentItem = v.object({
  message: v.string(),
  attachments: v.optional(v.string()),
});

export const contentAttributeNames = [
  'message',
  'attachments',
  'content_id',
  'content_bytes',
] as const;
export type ContentAttributes = Partial<Pick<MessageItem, (typeof contentAttributeNames)[number]>>;

/** Puts large content into a content item. Returns the attributes to store in the log entry. */
export async function storeContent(
  { conversation_id, sequence }: Pick<MessageItem, 'conversation_id' | 'sequence'>,
  { message, attachments }: StoredContent,
): Promise<ContentAttributes> {
  const content_bytes = countContentBytes({ message, attachments });
  if (content_bytes <= maxInlineBytes) return { message, attachments };
  const content_id = randomUUID();
  const key = contentKey(conversation_id, sequence, content_id);
  await putNew({ ...key, message, attachments, created_at: clock.now() });
  return { content_id, content_bytes };
}

/**
 * Returns a function that adds the content to a message. Reads content items like `lookUpContent`,
 * but skips those of `known` messages. The returned function throws if an item is missing.
 * A missing item is a fault, because an item outlives every request that has read its id.
 */
export async function readContent(
  messages: readonly MessageItem[],
  known: readonly MessageWithContent[] = [],
): Promise<(message: MessageItem) => MessageWithContent> {
  const knownContents = new Map(
    known.flatMap((one) => (one.content_id ? [[one.content_id, one]] : [])),
  );
  const getKnown = ({ content_id = '' }: MessageItem) => knownContents.get(content_id);
  const findContent = await lookUpContent(messages.filter((entry) => !getKnown(entry)));
  return (entry) => {
    const content = getKnown(entry) ?? findContent(entry);
    if (!content) throw new Error(`The content of message ${entry.id} is missing.`);
    return { ...entry, message: content.message, attachments: content.attachments };
  };
}

/**
 * Returns a function that adds the content to a message, or returns `undefined` if a later change
 * has removed the content. First reads with eventual consistency, at half the price, then reads
 * missing items with strong consistency.
 */
export async function lookUpContent(
  messages: readonly MessageItem[],
): Promise<(message: MessageItem) => MessageWithContent | undefined> {
  const keys = messages.filter(({ content_id }) => content_id !== undefined).map(toContentKey);
  const findEventual = await lookUpItems(keys, { consistent: false });
  const findRecent = await lookUpItems(keys.filter((key) => !findEventual(key)));
  return (entry) => {
    const key = toContentKey(entry);
    const found = entry.content_id === undefined ? entry : (findEventual(key) ?? findRecent(key));
    return found && { ...entry, ...v.parse(ContentItem, found) };
  };
}

const toContentKey = ({ conversation_id, sequence, content_id }: MessageItem): Key =>
  contentKey(conversation_id, sequence, content_id);
