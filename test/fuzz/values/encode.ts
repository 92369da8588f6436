/** Converts bytes to text with one character per byte. */
export const bytes = (...codes: number[]) => String.fromCharCode(...codes);

/** Percent-encodes a text; lone surrogates stay because they have no encoding. */
export function encodeLoosely(text: string): string {
  // Placeholders are replaced later by characters that need no encoding.
  return text
    .split(/(\|[a-z-]+:\d+\|)/)
    .map((part) => (/^\|.*:\d+\|$/.test(part) ? part : encodeURIComponent(part.toWellFormed())))
    .join('');
}
