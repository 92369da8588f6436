import { readFile } from 'node:fs/promises';
import { getErrorCode, Problem, toErrorMessage } from '../../lib/problem.ts';

/**
 * Returns the text of a UTF-8 file, without a leading byte order mark. Throws a Problem if the file
 * cannot be read or is not UTF-8.
 */
export async function readSource(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error) => {
    throw new Problem(
      getErrorCode(error) === 'ENOENT'
        ? `File not found: ${file}.`
        : `Cannot read ${file}: ${toErrorMessage(error)}.`,
    );
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem(`${file} is not UTF-8 text.`);
  }
}

/** Returns a function that maps an offset in the text to its line number, counted from 1. */
export function createLineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
