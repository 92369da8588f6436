import { readFile } from 'node:fs/promises';
import { codeOf, messageOf, Problem } from '../../lib/problem.ts';

/** The text of a UTF-8 file, without the byte order mark that it may begin with. */
export async function readSource(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error) => {
    throw new Problem(
      codeOf(error) === 'ENOENT'
        ? `There is no file ${file}.`
        : `${file} cannot be read: ${messageOf(error)}.`,
    );
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem(`${file} is not UTF-8 text.`);
  }
}

/** Tells at which line of the text, from 1, an offset is. */
export function lineCounter(text: string): (offset: number) => number {
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
