import { fromBase64Url } from './base64url.ts';

/** Returns the `sub` claim of a token; undefined if the claim cannot be read. */
export function readTokenSubject(token: string): string | undefined {
  try {
    const { sub } = JSON.parse(fromBase64Url(token.split('.')[1] ?? ''));
    return typeof sub === 'string' ? sub : undefined;
  } catch {
    return undefined;
  }
}
