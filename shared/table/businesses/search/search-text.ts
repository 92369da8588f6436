/** Maximum characters of normalized text in an index key. */
const maxKeyCharacters = 100;
/** Maximum words of a title that a search can start with. */
const maxTitleWords = 16;

/**
 * Returns the text as it is searched: without case, accents and compatibility forms, all other
 * characters as single spaces. Empty if it has no letter or digit.
 */
export function normalizeText(text: string): string {
  const normalized = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
  // By code point: a key with half a surrogate pair would not be stored as it is.
  return Array.from(normalized).slice(0, maxKeyCharacters).join('').trimEnd();
}

/**
 * Returns the normalized title from each of its words on, sorted. A search for consecutive words,
 * the last possibly incomplete, is a search for a prefix of these.
 */
export function toTitleEndings(title: string): string[] {
  const starts = Array.from(title.matchAll(wordStart), ({ index }) => index);
  const endings = starts.slice(0, maxTitleWords).map((start) => normalizeText(title.slice(start)));
  return [...new Set(endings)].sort();
}

/** Matches the start of a word: of a script without spaces, any letter. */
const wordStart =
  /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}]|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/gu;
