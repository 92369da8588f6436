import * as v from 'valibot';
import { wordsOf } from './words.ts';

/** A participant's flags of a conversation, as lists name them. */
export const flagNames = ['muted', 'archived', 'pinned'] as const;

const words = wordsOf(flagNames);

export const FlagName = words.Word;
export type FlagName = v.InferOutput<typeof FlagName>;

/** Flags whose conversations are left out of a list. */
export const exclude = words.list(
  'Leaves out conversations that the caller has muted, archived or pinned; repeatable. Not allowed with the parameter of the same name.',
);

type Flagged = Partial<Record<FlagName, boolean>> & { exclude?: readonly FlagName[] };

/** Rejects a flag that is both requested and excluded. */
export const excludesNothingWanted = <Query extends Flagged>() =>
  v.rawCheck<Query>(({ dataset, addIssue }) => {
    const query: Flagged = dataset.typed ? dataset.value : {};
    const both = query.exclude?.find((name) => query[name]);
    if (both === undefined) return;
    addIssue({
      message: `must not contain ${both}, which is requested`,
      path: [
        { type: 'object', origin: 'value', input: query, key: 'exclude', value: query.exclude },
      ],
    });
  });
