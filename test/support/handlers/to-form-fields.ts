/**
 * Encodes a value as form fields: nested names in brackets, null as an empty string, and an empty
 * list as `name[]` with an empty string.
 */
export function toFormFields(value: unknown, name = ''): [string, string][] {
  const inner = (key: string) => (name ? `${name}[${key}]` : key);
  if (Array.isArray(value)) {
    if (value.length === 0) return [[`${name}[]`, '']];
    return value.every((item) => typeof item === 'string')
      ? value.map((item) => [`${name}[]`, item])
      : value.flatMap((item, n) => toFormFields(item, inner(String(n))));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => toFormFields(item, inner(key)));
  }
  return [[name, value === null ? '' : String(value)]];
}
