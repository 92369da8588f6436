/** Bytes as text of one character each. */
export const bytes = (...codes: number[]) => String.fromCharCode(...codes);

/** Percent-encoded as far as that can be done: half of a surrogate pair has no encoding. */
export function encodeLoosely(text: string): string {
  // Place-holders are filled in later, by what needs no encoding.
  return text
    .split(/(\|[a-z-]+:\d+\|)/)
    .map((part) => (/^\|.*:\d+\|$/.test(part) ? part : encodeURIComponent(part.toWellFormed())))
    .join('');
}
