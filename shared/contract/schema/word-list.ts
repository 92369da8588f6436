import * as v from 'valibot';

/**
 * Returns a schema that accepts one of the words, and a function that creates schemas for lists of
 * words. The lists are empty by default.
 */
export function createWordList<const Names extends readonly string[]>(names: Names) {
  const rule = `must be a list of ${names.join(', ')}`;
  const Word = v.picklist(names, rule);
  const list = (description: string) =>
    v.optional(v.pipe(v.array(Word, rule), v.description(description)), []);
  return { Word, list };
}
