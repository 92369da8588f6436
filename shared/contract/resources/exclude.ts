import * as v from 'valibot';
import { createWordList } from '../schema/word-list.ts';

export const flagNames = ['muted', 'archived', 'pinned'] as const;

const words = createWordList(flagNames);

export const FlagName = words.Word;
export type FlagName = v.InferOutput<typeof FlagName>;

export const exclude = words.list(
  'Omits conversations that the caller has muted, archived or pinned; repeatable. Must not contain a flag that the query also requests, such as `muted` with `muted=true`.',
);

type FlagQuery = Partial<Record<FlagName, boolean>> & { exclude?: readonly FlagName[] };

/** Creates a check that rejects a flag that is both requested and excluded. */
export const checkExcludeConflicts = <Query extends FlagQuery>() =>
  v.rawCheck<Query>(({ dataset, addIssue }) => {
    const query: FlagQuery = dataset.typed ? dataset.value : {};
    const conflict = query.exclude?.find((name) => query[name]);
    if (conflict === undefined) return;
    addIssue({
      message: `must not contain ${conflict} together with ${conflict}=true`,
      path: [
        { type: 'object', origin: 'value', input: query, key: 'exclude', value: query.exclude },
      ],
    });
  });
