import * as v from 'valibot';

/** What a conversation can bring along when it is asked to. */
export const expansions = ['contact', 'last_message', 'unread_count'] as const;

/** Where it ends: so many, or more. */
export const mostUnread = 100;

const rule = `must be a list of ${expansions.join(', ')}`;

export const Expansion = v.picklist(expansions, rule);
export type Expansion = v.InferOutput<typeof Expansion>;

/** Asked for in the query; in an operation with a body there or in the body. */
export const expand = v.optional(
  v.pipe(
    v.array(Expansion, rule),
    v.description('What the conversation brings along; repeat it for each. Marks nothing.'),
  ),
  [],
);
