import fc from '../../support/setup/fast-check.ts';
import { hostileText } from './hostile-values.ts';
import { placeholder } from './placeholders.ts';

export type Header = readonly [name: string, value: string];

const onOneLine = (text: string) =>
  Buffer.from(text, 'latin1')
    .toString('latin1')
    .replace(/[\r\n]/g, ' ');

const named = (name: string, ...values: fc.Arbitrary<string>[]): fc.Arbitrary<Header> =>
  fc.oneof(...values).map((value) => [name, value]);

const text = hostileText.map(onOneLine).filter((one) => one.length < 4000);
const etags = fc.constantFrom(
  '"none"',
  '*',
  'W/"a"',
  '"',
  '""',
  ',',
  '"a", "b"',
  'a'.repeat(2000),
  '',
);

const known = fc.oneof(
  named('If-Match', etags, text, placeholder('etag')),
  named('If-None-Match', etags, text, placeholder('etag')),
  named(
    'Idempotency-Key',
    fc.constantFrom('', '""', ' ', '"', 'a'.repeat(255), 'a'.repeat(256), '"a', '#', '\u00e9'),
    text,
  ),
  named('Accept', fc.constantFrom('text/html', 'image/*', '*/*;q=0', 'application/xml', ''), text),
  named('Accept-Encoding', fc.constantFrom('gzip', 'br;q=1', 'identity;q=0')),
  named('Origin', fc.constantFrom('null', 'https://evil.example', 'a b'), text),
);

/** Headers that the API must ignore. */
const unknown = fc.oneof(
  named('X-HTTP-Method-Override', fc.constantFrom('DELETE', 'PUT', 'GET', 'TRACE')),
  named('X-HTTP-Method', fc.constantFrom('DELETE', 'PUT')),
  named('X-Original-URL', fc.constantFrom('/v1/conversations', '/admin')),
  named('X-Forwarded-For', text),
  named('X-Forwarded-Proto', fc.constantFrom('https', 'javascript', 'a, b')),
  named('X-Forwarded-Host', fc.constantFrom('evil.example')),
  named('Content-Encoding', fc.constantFrom('gzip', 'identity')),
  named('Content-MD5', fc.constantFrom('x')),
  named('Cookie', text),
  named('Range', fc.constantFrom('bytes=0-1')),
  named('TE', fc.constantFrom('trailers')),
  named('__proto__', fc.constantFrom('x', '{"a":1}')),
  named('constructor', fc.constantFrom('x')),
  named('X-Amzn-Trace-Id', text),
  named('X-Amz-Security-Token', text),
  named(
    'X-Long',
    fc.constantFrom(4000, 8500, 10_000, 30_000, 70_000).map((n) => 'a'.repeat(n)),
  ),
  named('X-Bytes', fc.constantFrom('\u00ff\u00fe', '\u0080', '\t')),
);

/** Headers that are invalid HTTP. The server may close the connection. */
const broken = fc.constantFrom<Header>(
  ['X-Null', 'a\u0000b'],
  ['X-Control', '\u0001'],
  ['X Space', 'a'],
  ['', 'a'],
  ['X-Delete', '\u007f'],
);

export const hostileHeaders: fc.Arbitrary<Header[]> = fc.array(
  fc.oneof(
    { arbitrary: known, weight: 6 },
    { arbitrary: unknown, weight: 4 },
    { arbitrary: broken, weight: 1 },
  ),
  { minLength: 1, maxLength: 3 },
);
