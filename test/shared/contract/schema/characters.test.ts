import { describe, expect, test } from '@jest/globals';
import { isBlank, isInlineText, quoteText } from '../../../../shared/contract/schema/characters.ts';

const fromCodes = (from: number, to = from) =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);
const named = (codes: number[]) =>
  codes.map(
    (code) => [`U+${code.toString(16).toUpperCase()}`, String.fromCodePoint(code)] as const,
  );

const invisible = named([
  ...[0x00, 0x09, 0x0a, 0x20, 0x7f, 0x85, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x1680],
  ...[0x17b4, 0x17b5, 0x180e, ...fromCodes(0x2000, 0x200f), 0x2028, 0x2029, 0x202a, 0x202e],
  ...[0x202f, 0x205f, ...fromCodes(0x2060, 0x206f), 0x2800, 0x3000, 0x3164, 0xfe0f, 0xfeff],
  ...[0xffa0, 0xfff9, 0xffff, 0x16fe4, 0x1d159, 0x1d173, 0xe0001, 0xe0020, 0xe01ef],
]);

/**
 * Characters that disrupt the line around a name: control characters, line breaks, direction
 * changes.
 */
const disruptive = named([
  ...[0x00, 0x09, 0x0a, 0x0d, 0x1b, 0x7f, 0x85, 0x2028, 0x2029],
  ...[...fromCodes(0x202a, 0x202e), ...fromCodes(0x2066, 0x2069)],
]);

const names = [
  ...[
    'thumbsup',
    'a b',
    '0',
    '.',
    'שלום',
    'abc\u200e',
    '\u200fשלום 5',
    'می\u200cخواهم',
    'क्\u200dष',
  ],
  ...['👍🏽', '👩‍👩‍👧‍👦', '❤️', '🏳️‍🌈', '🇩🇪', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '1️⃣', '#️⃣', '☠︎', '\u0301', '\ue000', 'e\u0301'],
];

describe('Text', () => {
  test.each(invisible)(
    'that consists only of %s is blank and is not a valid name',
    (_, character) => {
      expect([character, character.repeat(9), ` ${character} `].map(isBlank)).toEqual([
        true,
        true,
        true,
      ]);
      expect(isBlank(`${character}.`)).toBe(false);
      expect(isInlineText(character)).toBe(false);
    },
  );

  test.each(disruptive)('with %s is not a valid name', (_, character) => {
    expect([`a${character}b`, `${character}a`, `a${character}`].map(isInlineText)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test.each(names)('is a valid name: %s', (name) => {
    expect([isInlineText(name), isBlank(name)]).toEqual([true, false]);
  });

  test('with a lone surrogate is not a valid name', () => {
    expect(isInlineText('a\ud800')).toBe(false);
  });

  test('is quoted, with escapes for quotation marks, line breaks and characters that change the text direction', () => {
    expect(quoteText('a"\n\u202e\u2028\u0085👩‍👧')).toBe('"a\\"\\n\\u202e\\u2028\\u0085👩‍👧"');
  });
});
