import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

export type ParsedJson = { node: Node } | { offset: number; reason: string };

export function parseJson(text: string): ParsedJson {
  const errors: ParseError[] = [];
  try {
    const node = parseTree(text, errors, { disallowComments: true });
    const [error] = errors;
    if (node && !error) return { node };
    return { offset: error?.offset ?? 0, reason: describeError(error) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { offset: 0, reason: 'nests too deeply for the parser' };
  }
}

/** Returns the reason for an error, such as `must be valid JSON (comma expected)`. */
function describeError(error: ParseError | undefined): string {
  const words = error && printParseErrorCode(error.error).replace(/\B[A-Z]/g, ' $&');
  return `must be valid JSON${words ? ` (${words.toLowerCase()})` : ''}`;
}
