const lineWidth = 140;
const maxInlineWidth = 120;

/**
 * Returns the properties of a resource as lines of the form `path: value`. A short object takes one
 * line. The line of a short list element has the list's path, without an index.
 */
export const toLines = (properties: object): string[] =>
  getEntries(properties).flatMap(([key, value]) => formatValue(key, value));

function formatValue(path: string, value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item, n) =>
      formatValue(fitsInline(path, item) ? path : `${path}.${n}`, item),
    );
  if (!isObject(value) || fitsInline(path, value)) return [`${path}: ${toInline(value)}`];
  return getEntries(value).flatMap(([key, item]) => formatValue(`${path}.${key}`, item));
}

const fitsInline = (path: string, value: unknown): boolean =>
  !isObject(value) || path.length + toInline(value).length <= maxInlineWidth;

function toInline(value: unknown): string {
  if (!isObject(value)) return value === '' ? "''" : String(value);
  if (Array.isArray(value)) return `[${value.map(toInline).join(', ')}]`;
  return `{ ${getEntries(value)
    .map(([key, item]) => `${key}: ${toInline(item)}`)
    .join(', ')} }`;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const getEntries = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));

/** Returns the names separated by commas, wrapped at the line width. */
export const wrapNames = (names: readonly string[], indent = '  '): string =>
  names.reduce((text, name) => {
    if (text === '') return `${indent}${name}`;
    const line = text.slice(text.lastIndexOf('\n') + 1);
    const space = line.length + name.length > lineWidth ? `\n${indent}` : ' ';
    return `${text},${space}${name}`;
  }, '');
