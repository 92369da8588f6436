/** Converts bytes to text with one character per byte. */
export const bytes = (...codes: number[]) => String.fromCharCode(...codes);

/** Percent-encodes a text. Lone surrogates become U+FFFD. */
export function encodeLoosely(text: string): string {
  // Placeholders are not encoded; the values that replace them need no encoding.
  return text
    .split(/(\|[a-z-]+:\d+\|)/)
    .map((part) => (/^\|.*:\d+\|$/.test(part) ? part : encodeURIComponent(part.toWellFormed())))
    .join('');
}
