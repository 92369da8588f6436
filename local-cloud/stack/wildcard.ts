/** Converts an IAM pattern: `*` matches any characters, `?` one. */
export const toWildcardRegExp = (pattern: string, flags = '') =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    `s${flags}`,
  );
