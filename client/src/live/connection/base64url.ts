/** Encodes ASCII text as base64url without padding. */
export const toBase64Url = (text: string): string =>
  btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/**
 * Decodes base64url text to a string with one character per byte. Throws if the text is invalid.
 */
export const fromBase64Url = (encoded: string): string =>
  atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
