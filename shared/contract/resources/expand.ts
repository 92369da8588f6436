import type * as v from 'valibot';
import { createWordList } from '../schema/word-list.ts';

export const expansionNames = [
  'contact',
  'last_message',
  'unread_count',
  'mentioned',
  'business',
  'assigned_to',
] as const;

/** Maximum value of `unread_count`. A count of 100 means 100 or more. */
export const maxUnread = 100;

const words = createWordList(expansionNames);

export const Expansion = words.Word;
export type Expansion = v.InferOutput<typeof Expansion>;

/** Query parameter. Operations with a body also accept `expand` in the body. */
export const expand = words.list(
  'Fields to add to the conversation; repeatable. Expanding does not mark messages as read.',
);

const messageWords = createWordList(['reply_to', 'mentions']);

export const MessageExpansion = messageWords.Word;
export type MessageExpansion = v.InferOutput<typeof MessageExpansion>;

export const expandMessage = messageWords.list('Fields to add to each message; repeatable.');
