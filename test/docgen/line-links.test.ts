import { describe, expect, test } from '@jest/globals';
import { updateLineLinks } from '../../docgen/line-links.ts';

const files: Record<string, string> = {
  'a/b.ts':
    'import x;\n\n/** serve is below. */\nexport const serve = 1;\nasync function read() {}\n',
};
const linked = (page: string) => updateLineLinks(page, 'PAGE.md', (path) => files[path] ?? '');

describe('A link', () => {
  test('to a line is updated to the line that declares the name', () => {
    expect(linked('See [`serve`](a/b.ts#L1), then [`read`](a/b.ts#L99).')).toBe(
      'See [`serve`](a/b.ts#L4), then [`read`](a/b.ts#L5).',
    );
  });

  test('to a line of a file that does not declare the name causes an error that names the page', () => {
    expect(() => linked('[`x`](a/b.ts#L1)')).toThrow('PAGE.md: a/b.ts does not declare x.');
  });

  test('without a line number, or without a name in backticks, stays unchanged', () => {
    const page = '[a file](a/b.ts), [`serve`](a/b.ts), [a page](c.md#L1)';
    expect(linked(page)).toBe(page);
  });
});
