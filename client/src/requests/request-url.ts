export type Params = Readonly<Record<string, unknown>>;

/**
 * Returns the operation's path with its parameters filled in, and the remaining parameters. Throws
 * `TypeError` if a path parameter is missing or not an id.
 */
export function expandPath(template: string, params: Params): { path: string; others: Params } {
  const others: Record<string, unknown> = { ...params };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    // An id that is empty, `.` or `..` would address another operation.
    if (typeof value !== 'string' || ['', '.', '..'].includes(value)) {
      throw new TypeError(`${name} must be an id, not ${JSON.stringify(value)}.`);
    }
    delete others[name];
    return encodeURIComponent(value);
  });
  return { path, others };
}

/**
 * Returns the query string with its question mark; empty if no parameter has a value. A list
 * parameter repeats its name, followed by `[]`, for each item.
 */
export function toQueryString(params: Params): string {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((item) => pair(`${name}[]`, item))
      : value === undefined || value === null
        ? []
        : [pair(name, value)],
  );
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

const pair = (name: string, value: unknown) =>
  `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`;
