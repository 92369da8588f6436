import * as v from 'valibot';

/** Returns schemas of one of the words, and of a list of them in a request, empty by default. */
export function createWordList<const Names extends readonly string[]>(names: Names) {
  const rule = `must be a list of ${names.join(', ')}`;
  const Word = v.picklist(names, rule);
  const list = (description: string) =>
    v.optional(v.pipe(v.array(Word, rule), v.description(description)), []);
  return { Word, list };
}
