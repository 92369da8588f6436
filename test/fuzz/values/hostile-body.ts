import fc from '../../support/setup/fast-check.ts';
import { bytes, encodeLoosely } from './encode.ts';
import { hostileText } from './hostile-values.ts';
import { placeholderOf } from './placeholders.ts';

const utf8 = (text: string) => Buffer.from(text).toString('latin1');

const jsonTypes = ['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'];
const oddTypes = [
  ...['application/merge-patch+json', 'application/+json', 'application/json;charset=utf-16'],
  ...['application/json, text/plain', 'application/json ', 'application/jsonx', 'text/json', '*/*'],
  ...['text/plain', 'text/xml', 'multipart/form-data; boundary=x', 'application/octet-stream', ''],
  ...[
    'application/x-www-form-urlencoded;charset=latin1',
    'application/x-www-form-urlencodedx',
    ';',
  ],
  ...['application/json\u00e9', 'application/vnd.__proto__+json', 'image/png', 'a'.repeat(3000)],
];
export const contentType = fc.constantFrom(
  ...jsonTypes,
  ...oddTypes,
  'application/x-www-form-urlencoded',
);

export const hostileBody: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['null', '[]', '[[]]', '"text"', '42', 'true', '', ' ', '{', '}', '{"a"', '{}{}', "{'a':1}"],
    ...['{"a":1,}', '{"message":NaN}', '{"a":1e400}', '\u0000', '{"a":"\u0001"}', '// {}', '<a/>'],
    ...[
      '{"__proto__":{"message":"x"}}',
      '{"constructor":{"prototype":{"x":1}}}',
      '{"constructor":1}',
    ],
    ...['{"conversation_id":"|conversation:0|","conversation_id":7,"message":"a","message":"b"}'],
    ...['{"\\u005f_proto__":{}}', '{"message":"\\ud800"}', '{"":""}', '[{"message":"x"}]'],
    `${bytes(0xef, 0xbb, 0xbf)}{"message":"x"}`,
    `{"conversation_id":"|conversation:0|","message":"${bytes(0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80)}"}`,
    `{"message":"${bytes(0xc3)}"}`,
    bytes(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00),
    Buffer.from('{"message":"x"}').toString('base64'),
    'eyJtZXNzYWdlIjoi%%%',
  ),
  fc
    .constantFrom('[', '{"a":', '{"reactions":', '[{"a":')
    .chain((part) => fc.constantFrom(17, 1000, 20_000).map((levels) => part.repeat(levels))),
  fc.constantFrom(17, 500, 5000, 40_000).map((n) => `${'['.repeat(n)}${']'.repeat(n)}`),
  fc.constantFrom(17, 500, 5000, 40_000).map((n) => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`),
  fc
    .constantFrom(1000, 1999, 2000, 2001, 20_000)
    .map((n) => `{${Array.from({ length: n }, (_, i) => `"f${i}":0`).join()}}`),
  fc.constantFrom(2001, 30_000).map((n) => `{"reactions":[${Array(n).fill('{}').join()}]}`),
  fc.string({ unit: 'binary', maxLength: 60 }).map(utf8),
  fc.uint8Array({ maxLength: 60 }).map((values) => Buffer.from(values).toString('latin1')),
);

const bodyWithMessageOf = (characters: number) => `{"message":"${'x'.repeat(characters)}"}`;

/** Bodies near and above the maximum size. */
export const largeBody = fc.constantFrom(262_100, 262_130, 262_145, 300_000).map(bodyWithMessageOf);

export const tooLargeBody = bodyWithMessageOf(300_000);

const formKeys = [
  ...['a[b[c]', 'a]b[', '[', ']', '[]', '[a]', 'a[', 'a[]b', 'a[][b]', 'a[][]', '', 'message[]'],
  ...['reactions[ok][]', 'reactions[ok]', 'reactions[]', 'reactions[0][ok][]', 'reactions[ok][0]'],
  ...['reactions[a]b][]', 'reactions[[x]][]', 'reactions[x[]', 'reactions]', 'reactions[%ff][]'],
  ...['attachments[0][na]me]', 'attachments[0]]', 'reactions[e%CC%81][]', 'reactions[\u00e9][]'],
  ...['reactions[__proto__][]', 'reactions[toString][]', 'attachments[]', 'attachments[0]'],
  ...[
    'attachments[0][size]',
    'attachments[0][id]',
    'attachments[9999][name]',
    'attachments[-1][name]',
    'conversation_id',
  ],
  ...['attachments[constructor][name]', 'attachments[0][__proto__][x]', '__proto__[message]'],
  ...['__proto__', 'message[__proto__]', 'conversation_id[]', 'message.x', 'message', 'is_pinned'],
  ...['archived_at', 'pinned_message_id', 'contact_id', 'group_id', 'is_muted[]', 'a[b]', 'a[]'],
];
export const formValues = fc.oneof(
  fc.constantFrom(
    '',
    '1',
    'true',
    '1e400',
    '9'.repeat(400),
    '%ff',
    '%',
    '%zz',
    '%00',
    '+',
    '%u0041',
  ),
  fc.constantFrom('%ed%a0%80', '%c0%80', '%f0%9f%8e%89', 'a=b', '%26', 'https%3A%2F%2Fexample.com'),
  hostileText.map(encodeLoosely),
  placeholderOf('conversation', 'message', 'me', 'person', 'group', 'confidential-conversation'),
);

export const hostileForm: fc.Arbitrary<string> = fc.oneof(
  {
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom(...formKeys), formValues), { minLength: 1, maxLength: 5 })
      .map((pairs) => pairs.map(([key, value]) => `${key}=${value}`).join('&')),
    weight: 6,
  },
  {
    arbitrary: fc.constantFrom(
      ...[
        '&&&',
        '=',
        '=&=',
        '&=a',
        'a[]=1&a[b]=2',
        'a=1&a[b]=2',
        'a[b]=1&a=2',
        'a',
        'a==',
        '%',
        '%5B',
      ],
      ...[
        'a[b]=1&a[b][c]=2',
        'message=1&message=2',
        `a${'[b]'.repeat(15)}=1`,
        `a${'[b]'.repeat(17)}=1`,
      ],
      ...[`a${'[b]'.repeat(20_000)}=1`, `a${'[]'.repeat(40_000)}=1`, `a${'['.repeat(100_000)}`],
      Array.from({ length: 2001 }, (_, n) => `f${n}=`).join('&'),
      Array.from({ length: 20_000 }, () => 'a[]=1').join('&'),
      `message=${'%F0%9F%8E%89'.repeat(10_001)}`,
    ),
    weight: 3,
  },
);
