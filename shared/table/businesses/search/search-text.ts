import { getCommonStart } from './common-start.ts';

/** Maximum characters of normalized text in an index key. */
const maxKeyCharacters = 100;
/** Number of words at the start of a title at which a match can start. */
const maxTitleWords = 32;

/**
 * Returns the text in the form that searches compare: at most 100 characters, in lower case,
 * without accents or compatibility forms. Each run of characters other than letters, digits and
 * marks becomes one space. If the text has no letters, digits or marks, returns an empty string.
 */
export function normalizeText(text: string): string {
  const normalized = text
    .replace(apostrophes, ' ')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .toLowerCase()
    // A sigma has a different form at the end of a word, but a search may stop within the word.
    .replaceAll('ς', 'σ')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
  // Cuts between code points, because DynamoDB would change a lone surrogate.
  return Array.from(normalized).slice(0, maxKeyCharacters).join('').trimEnd();
}

/** Characters used as apostrophes, including the okina and similar letters. */
const apostrophes = /['`\u00b4\u02b9-\u02bf\u2018\u2019\u201b\u2032\uff07]/g;

export interface TitleEnding {
  text: string;
  /** Number of leading characters shared with the preceding ending. */
  repeated: number;
}

/**
 * Returns the endings of a title that start at the beginning of a word, normalized and sorted.
 * Includes spellings with apostrophes replaced by spaces, and spellings with apostrophes removed. A
 * search matches prefixes of these endings. Of the endings that begin with a prefix, only the first
 * has a `repeated` value below the prefix's length.
 */
export function toTitleEndings(title: string): TitleEnding[] {
  const texts = [' ', '']
    .map((one) => title.replace(apostrophes, one))
    .flatMap((spelling) =>
      Array.from(spelling.matchAll(wordStart), ({ index }) => index)
        .slice(0, maxTitleWords)
        .map((start) => normalizeText(spelling.slice(start))),
    );
  const sorted = [...new Set(texts)].sort();
  return sorted.map((text, n) => {
    const { length: repeated } = getCommonStart(text, sorted[n - 1] ?? '');
    return { text, repeated };
  });
}

/** Matches the start of a word or, in a script without spaces, any letter. */
const wordStart =
  /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}]|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/gu;
