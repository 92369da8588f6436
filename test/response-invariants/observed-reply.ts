/** A reply as a client sees it, however it has travelled. */
export interface ObservedReply {
  status: number;
  /** By their names in lower case. */
  headers: ReadonlyMap<string, string>;
  /** What its JSON says; the text itself where that is no JSON. */
  body: unknown;
}

export const toObservedReply = (
  status: number,
  headers: Iterable<readonly [name: string, value: string]>,
  text: string,
): ObservedReply => ({
  status,
  headers: new Map([...headers].map(([name, value]) => [name.toLowerCase(), value])),
  body: parseBody(text),
});

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
