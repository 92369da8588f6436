/** Returns ASCII text as base64url without padding. */
export const toBase64Url = (text: string): string =>
  btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** Returns the bytes of base64url text, one character each. Throws for other text. */
export const fromBase64Url = (encoded: string): string =>
  atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
