/**
 * Invisible characters: white space, controls, noncharacters, default-ignorable characters
 * (joiners, U+200B, U+00AD, U+3164), annotation marks, and symbols with an empty glyph, such as the
 * blank Braille pattern.
 */
const invisible =
  /[\s\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{FFF9}-\u{FFFB}\u{2800}\u{1D159}\u{16FE4}]/u;

/**
 * Control characters, line breaks, and characters that change the text direction: embeddings,
 * overrides and isolates.
 */
const disruptive = /[\p{Cc}\p{Zl}\p{Zp}\u{202A}-\u{202E}\u{2066}-\u{2069}]/u;

const invisibleOnly = new RegExp(`^(?:${invisible.source})*$`, 'u');
const eachDisruptive = new RegExp(disruptive.source, 'gu');

/** Reports whether the text has no visible character. */
export const isBlank = (text: string): boolean => invisibleOnly.test(text);

/**
 * Reports whether the text is well-formed, has a visible character, and has no characters that
 * would disrupt the surrounding line.
 */
export const isInlineText = (text: string): boolean =>
  text.isWellFormed() && !disruptive.test(text) && !isBlank(text);

/**
 * Reports whether the value, including its field names, has no lone surrogates. JSON can express
 * lone surrogates, but UTF-8 cannot, and strict JSON parsers reject them.
 */
export const isWellFormed = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWellFormed(inner));
};

export const wellFormedRule = 'must be well-formed Unicode';

/** Encloses the text in quotation marks. Escapes characters that would disrupt the line. */
export const quoteText = (text: string): string =>
  JSON.stringify(text).replace(
    eachDisruptive,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
