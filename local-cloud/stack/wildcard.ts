/**
 * Converts an IAM pattern to a RegExp: `*` matches any number of characters, and `?` matches one
 * character.
 */
export const toWildcardRegExp = (pattern: string, flags = '') =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    `s${flags}`,
  );
