import type * as v from 'valibot';
import { wordsOf } from './words.ts';

/** What a conversation can bring along when it is asked to. */
export const expansions = ['contact', 'last_message', 'unread_count'] as const;

/** Where it ends: so many, or more. */
export const maxUnread = 100;

const words = wordsOf(expansions);

export const Expansion = words.Word;
export type Expansion = v.InferOutput<typeof Expansion>;

/** Asked for in the query; in an operation with a body there or in the body. */
export const expand = words.list(
  'What the conversation brings along; repeat it for each. Marks nothing.',
);
