import * as v from 'valibot';
import { wordsOf } from './words.ts';

/** What a participant may have made of a conversation, as lists name it. */
export const flagNames = ['muted', 'archived', 'pinned'] as const;

const words = wordsOf(flagNames);

export const FlagName = words.Word;
export type FlagName = v.InferOutput<typeof FlagName>;

/** Conversations with these flags are left out of a list. */
export const exclude = words.list(
  'Leaves out what the caller has muted, archived or pinned; repeat it for each. Not together with the parameter of the same name.',
);

type Flagged = Partial<Record<FlagName, boolean>> & { exclude?: readonly FlagName[] };

/** What is asked for cannot be left out, too. */
export const excludesNothingWanted = <Query extends Flagged>() =>
  v.rawCheck<Query>(({ dataset, addIssue }) => {
    const query: Flagged = dataset.typed ? dataset.value : {};
    const both = query.exclude?.find((name) => query[name]);
    if (both === undefined) return;
    addIssue({
      message: `must not have ${both}, which is asked for`,
      path: [
        { type: 'object', origin: 'value', input: query, key: 'exclude', value: query.exclude },
      ],
    });
  });
