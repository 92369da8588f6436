export type Params = Readonly<Record<string, unknown>>;

/** The path of an operation with its parameters in their places, and the other parameters. Throws TypeError without one. */
export function expandPath(template: string, params: Params): { path: string; others: Params } {
  const others: Record<string, unknown> = { ...params };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    // An empty one would lead to another operation, and so would the two that mean this folder and the one above.
    if (typeof value !== 'string' || ['', '.', '..'].includes(value)) {
      throw new TypeError(`${name} must be an id, and is ${JSON.stringify(value)}.`);
    }
    delete others[name];
    return encodeURIComponent(value);
  });
  return { path, others };
}

/** Parameters as a query, with its question mark; a list is given item by item. Empty where nothing is said. */
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
