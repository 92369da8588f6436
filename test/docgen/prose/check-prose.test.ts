import { describe, expect, test } from '@jest/globals';
import { checkProse } from '../../../docgen/prose/check-prose.ts';

const problems = (file: string, text: string) =>
  checkProse(file, text).map(({ line, problem }) => `${line}: ${problem.split(':')[0]}`);

describe('The prose linter', () => {
  test.each([
    [
      'a forbidden phrase in a comment',
      'a.ts',
      '// It is told to whoever asks.\n',
      ['1: “whoever”', '1: “is told”'],
    ],
    ['a forbidden phrase in a string', 'a.ts', "const text = 'nobody asks';\n", ['1: “nobody”']],
    ['a forbidden name', 'a.ts', 'const mostTries = 3;\n', ['1: name “mostTries”']],
    [
      'a comment that is too wide',
      'a.ts',
      `// ${'wide '.repeat(30)}\n`,
      ['1: comment line has 153 columns'],
    ],
    [
      'a function’s doc comment that does not start with a verb',
      'a.ts',
      '/** The sum of both. */\nexport function add(): void {}\n',
      ['1: doc comment begins with “The”'],
    ],
    [
      'a page of long sentences',
      'a.md',
      `${'word '.repeat(19)}end.\n`,
      ['1: median sentence has 20 words'],
    ],
  ])('reports %s', (_, file, text, expected) => {
    expect(problems(file, text)).toEqual(expected);
  });

  test.each([
    [
      'a doc comment with a verb',
      'a.ts',
      '/** Returns the sum. */\nexport function add(): void {}\n',
    ],
    [
      'a doc comment of a value',
      'a.ts',
      '/** Maximum attempts. */\nexport const maxAttempts = 3;\n',
    ],
    [
      'code, tables and headings of a page',
      'a.md',
      `# ${'word '.repeat(40)}\n\n| ${'cell '.repeat(40)} |\n\nShort.\n`,
    ],
  ])('accepts %s', (_, file, text) => {
    expect(problems(file, text)).toEqual([]);
  });
});
