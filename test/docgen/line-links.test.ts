import { describe, expect, test } from '@jest/globals';
import { updateLineLinks } from '../../docgen/line-links.ts';

const files: Record<string, string> = {
  'a/b.ts':
    'import x;\n\n/** serve is below. */\nexport const serve = 1;\nasync function read() {}\n',
};
const linked = (page: string) => updateLineLinks(page, 'PAGE.md', (path) => files[path] ?? '');

describe('A link to a line', () => {
  test('is updated to the line that declares the name', () => {
    expect(linked('See [`serve`](a/b.ts#L1), then [`read`](a/b.ts#L99).')).toBe(
      'See [`serve`](a/b.ts#L4), then [`read`](a/b.ts#L5).',
    );
  });

  test('to a name that the file does not declare causes an error that names the page', () => {
    expect(() => linked('[`x`](a/b.ts#L1)')).toThrow('PAGE.md: a/b.ts does not declare x.');
  });

  test('of another form stays unchanged', () => {
    const page = '[a file](a/b.ts), [`serve`](a/b.ts), [a page](c.md#L1)';
    expect(linked(page)).toBe(page);
  });
});
