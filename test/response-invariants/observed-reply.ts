/** A reply as a client receives it, over any transport. */
export interface ObservedReply {
  status: number;
  /** Keys are lower-case. */
  headers: ReadonlyMap<string, string>;
  /** The parsed JSON, or the raw text if it is not JSON. */
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
