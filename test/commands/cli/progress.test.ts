import { describe, expect, test } from '@jest/globals';
import { createProgress } from '../../../commands/cli/progress.ts';

function written(isTTY: boolean) {
  const parts: string[] = [];
  const progress = createProgress({ isTTY, write: (text) => parts.push(text) });
  progress.show(3, 7);
  progress.show(7, 7);
  progress.clear();
  return parts;
}

describe('The progress bar', () => {
  test('uses one line of the terminal, and clears it at the end', () => {
    const start = '\r\x1b[K';
    expect(written(true)).toEqual([
      `${start}[########............] 3 of 7 (42 %)`,
      `${start}[####################] 7 of 7 (100 %)`,
      start,
    ]);
  });

  test('prints nothing if the output is not a terminal', () => {
    expect(written(false)).toEqual([]);
  });
});
