/** What a text looks like to people, by Unicode's properties of its characters. */

/**
 * What shows nothing: white space, controls, and what only joins, shapes or hides others, such as
 * U+200B, U+00AD and U+3164; and signs whose picture is empty (a Braille pattern without dots, a
 * note without a head, a Khitan filler).
 */
const unseen =
  /[\s\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{FFF9}-\u{FFFB}\u{2800}\u{1D159}\u{16FE4}]/u;

/**
 * Controls, line breaks, and what turns the direction of the text around it: embeddings, overrides,
 * isolates.
 */
const disruptive = /[\p{Cc}\p{Zl}\p{Zp}\u{202A}-\u{202E}\u{2066}-\u{2069}]/u;

const unseenOnly = new RegExp(`^(?:${unseen.source})*$`, 'u');
const eachDisruptive = new RegExp(disruptive.source, 'gu');

/** Nothing of it can be seen. */
export const isBlank = (text: string): boolean => unseenOnly.test(text);

/**
 * It can be shown as part of a line, and leaves the rest of the line as it is. Emoji of several
 * characters can, and text of any direction, with marks (U+200E, U+200F) where it needs them.
 */
export const isName = (text: string): boolean =>
  text.isWellFormed() && !disruptive.test(text) && !isBlank(text);

/**
 * No text in it, and no name of a field, has half a surrogate pair: that cannot be stored as UTF-8,
 * and JSON can write it, but many who read JSON refuse all of what it is in.
 */
export const isWellFormed = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWellFormed(inner));
};

export const wellFormedRule = 'must be well-formed Unicode';

/** The text between quotation marks, with escapes for what would disturb the line. */
export const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    eachDisruptive,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
