const lineWidth = 140;

/** A value in lines; what is short, on one. */
export function block(value: unknown, indent: string): string[] {
  if (typeof value !== 'object' || value === null) return [`${indent}${scalar(value)}`];
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const short = `${indent}- ${inline(item)}`;
      if (short.length <= lineWidth) return [short];
      const [first = '', ...others] = block(item, `${indent}  `);
      return [`${indent}- ${first.trimStart()}`, ...others];
    });
  }
  return sorted(value).flatMap(([key, item]) => {
    const short = `${indent}${key}: ${inline(item)}`;
    const fits = typeof item !== 'object' || short.length <= lineWidth;
    return fits ? [short] : [`${indent}${key}:`, ...block(item, `${indent}  `)];
  });
}

export function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return scalar(value);
  const fields = sorted(value).map(([key, item]) => `${key}: ${inline(item)}`);
  return `{ ${fields.join(', ')} }`;
}

const sorted = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));

const scalar = (value: unknown) => (value === '' ? "''" : String(value));

/** Names in a row, on as many lines as it takes. */
export const wrapNames = (names: readonly string[], indent = '  '): string =>
  names.reduce((text, name) => {
    if (text === '') return `${indent}${name}`;
    const line = text.slice(text.lastIndexOf('\n') + 1);
    const space = line.length + name.length > lineWidth ? `\n${indent}` : ' ';
    return `${text},${space}${name}`;
  }, '');
