import fc from '../../support/setup/fast-check.ts';
import { wrongIds } from './placeholders.ts';

/**
 * Marks text that `JSON.stringify` cannot produce, such as `1e400` or `NaN`. `writeVerbatim`
 * inserts the text without quotation marks.
 */
const verbatim = (json: string) => `@@${json}@@`;
export const writeVerbatim = (json: string) => json.replace(/"@@(.*?)@@"/g, '$1');

export const inheritedNames = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'],
  ...['__defineGetter__', '__lookupSetter__', 'isPrototypeOf', 'toLocaleString', 'then', 'length'],
];

/** Ids that could form the keys of other table items if stored unescaped. */
const forgedKeys = [
  ...['x#MESSAGE#1', 'CONVERSATION#|confidential-conversation:0|', '|conversation:1|#MESSAGE'],
  ...[
    '|confidential-conversation:0|#',
    '#',
    'CONTACT#vera',
    'vera#INBOX',
    'ann#101',
    '*',
    '%',
    '?',
  ],
  ...['|confidential-message:0|~1', '|conversation:0|~', '|conversation:0|~1e99', '~', '~~1'],
  ...['|conversation:0|~999999999999999', '|conversation:0|~-1', '|message:0| ', 'é~1'],
];

const oddCharacters = [
  ...['\u0000', 'a\u0000b', '\u0001\u001f', '\u007f', '\u0085', '\u2028', '\r\nSet-Cookie: a=b'],
  ...[
    '\ufeff',
    '\ufffe',
    '\ufffd',
    '\u202e',
    'a\u2067b',
    '\u200b',
    '\u2800\u00ad\u3164\u2060',
    'a[b]',
    'a]b[',
    'e\u0301',
    '\ud800',
    'a\udc00b',
    '\udfff\ud83d',
  ],
  ...['\ud83d\ude00', '"', '\\', "'", '`', '<script>alert(1)</script>', '$' + '{7*7}', '#{7*7}'],
  ...['$context.requestId', '$input.body', '../../../etc/passwd', '%00', '%2e%2e%2f', '%', '%zz'],
];

const oddNumbers = [
  ...['NaN', 'Infinity', '-0', '1e400', '0x10', '1_000', '٣', '1,5', '+1', '1e2', '007', ' 1 '],
  ...['9007199254740993', '-9007199254740993', '99999999999999999999999', '9'.repeat(400)],
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...inheritedNames),
  fc.constantFrom(...forgedKeys),
  fc.constantFrom(...oddCharacters),
  fc.constantFrom(...oddNumbers),
  fc.constantFrom(
    'x'.repeat(10_001),
    'ä'.repeat(5000),
    ' '.repeat(3000),
    '0'.repeat(26),
    '0'.repeat(44),
  ),
  fc.constantFrom('7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'Z'.repeat(44), `7${'Z'.repeat(43)}`),
  fc.string({ unit: 'binary', maxLength: 40 }),
  wrongIds,
);

const nested = (levels: number, list: boolean): unknown => {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level++) value = list ? [value] : { a: value };
  return value;
};

const repeatedEntries = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, n]));

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: hostileText, weight: 5 },
  {
    arbitrary: fc.constantFrom('1e400', '-1e400', '1e-400', '-0', '1E9999').map(verbatim),
    weight: 1,
  },
  {
    arbitrary: fc.constantFrom('NaN', 'undefined', '01', '.5', "'a'", '"\\ud800"').map(verbatim),
    weight: 1,
  },
  {
    arbitrary: fc
      .tuple(fc.constantFrom(13, 14, 15, 16, 17, 200), fc.boolean())
      .map(([levels, list]) => nested(levels, list)),
    weight: 1,
  },
  {
    arbitrary: fc
      .constantFrom(51, 300, 990, 1990, 2001, 3000)
      .chain((n) =>
        fc.constantFrom<unknown>(repeatedEntries(n), Array(n).fill('a'), Array(n).fill({})),
      ),
    weight: 1,
  },
  {
    arbitrary: fc
      .tuple(fc.constantFrom(...inheritedNames), fc.oneof(hostileText, fc.jsonValue()))
      .map((pair) => Object.fromEntries([pair])),
    weight: 1,
  },
  { arbitrary: fc.jsonValue(), weight: 1 },
);

export const hostileMap: fc.Arbitrary<unknown> = fc.oneof(
  {
    arbitrary: fc.dictionary(
      fc.oneof(
        // Names that some libraries drop or reject.
        fc.constantFrom('constructor', 'prototype', 'toString'),
        fc.constantFrom(...inheritedNames),
        hostileText,
      ),
      fc.constantFrom<unknown>(
        ...[['|me:0|'], ['|me:0|'], ['|me:0|'], ['|my-name:0|'], [], ['|person:1|'], null],
      ),
      { minKeys: 1, maxKeys: 3, noNullPrototype: true },
    ),
    weight: 3,
  },
  fc
    .tuple(
      fc.constantFrom(49, 50, 51, 300, 480, 990),
      fc.constantFrom(['|me:0|'], [], ['|my-name:0|']),
    )
    .map(([count, reactors]) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`name${n}`, reactors])),
    ),
);
