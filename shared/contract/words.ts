import * as v from 'valibot';

/**
 * Some words: one of them, and a list of them in a request, which is empty where it is not given.
 */
export function wordsOf<const Names extends readonly string[]>(names: Names) {
  const rule = `must be a list of ${names.join(', ')}`;
  const Word = v.picklist(names, rule);
  const list = (description: string) =>
    v.optional(v.pipe(v.array(Word, rule), v.description(description)), []);
  return { Word, list };
}
