import { getCommonStart } from './common-start.ts';

/** Maximum characters of normalized text in an index key. */
const maxKeyCharacters = 100;
/** Maximum words of a title at which a match can start. */
const maxTitleWords = 32;

/**
 * Returns the text as searches compare it: in lower case, without accents and compatibility forms,
 * with each run of other characters as one space. Empty if it has no letter or digit.
 */
export function normalizeText(text: string): string {
  const normalized = text
    .replace(apostrophes, ' ')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .toLowerCase()
    // A sigma's form depends on whether the word ends there, which is unknown for an incomplete
    // word.
    .replaceAll('ς', 'σ')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
  // Cuts by code point: a key with a lone surrogate would not be stored unchanged.
  return Array.from(normalized).slice(0, maxKeyCharacters).join('').trimEnd();
}

/** Characters that people write as apostrophes, including the okina and similar letters. */
const apostrophes = /['`\u00b4\u02b9-\u02bf\u2018\u2019\u201b\u2032\uff07]/g;

export interface TitleEnding {
  text: string;
  /** Number of leading characters shared with the preceding ending. */
  repeated: number;
}

/**
 * Returns the normalized title from each of its words on, sorted, both with apostrophes as spaces
 * and without them. A search for consecutive words, the last possibly incomplete, matches prefixes
 * of these endings. The first match has fewer `repeated` characters than the prefix.
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
