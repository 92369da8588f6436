import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { HttpsUrl } from '../../../../shared/contract/schema/field-types.ts';
import fc from '../../../support/setup/fast-check.ts';

describe('The schema for https URLs', () => {
  test.each([
    'https://example.com',
    'https://EXAMPLE.com:8443/a//b/../c;d=1,2?q=a/b?c&d=%C3%A9#frag/?x',
    'https://[::1]/a',
    'https://10.0.0.1/',
    "https://user:p%40ss@example.com/~me/(a)!*'$",
    'https://xn--exmple-cua.com/%F0%9F%8E%89',
    'https://example.com?q',
    'https://example.com#',
  ])('accepts %s', (url) => {
    expect(v.is(HttpsUrl, url)).toBe(true);
  });

  test.each([
    ...['', 'https:', 'https://', 'https:///a', 'https:example.com', 'http://example.com'],
    ...[
      'HTTP://example.com',
      'javascript:alert(1)',
      '//example.com',
      'example.com',
      ' https://a.b',
    ],
    ...[
      'https://a.b ',
      'https://a.b/c d',
      'https://a.b/\n',
      'https://a.b/\tc',
      'https://a\u0000.b',
    ],
    ...[
      'https://a.b/\u202e',
      'https://a.b/\u200b',
      'https://a.b/ü',
      'https://ä.b/',
      'https://a.b\\c',
    ],
    ...['https://a.b/"', 'https://a.b/<x>', 'https://a.b/`', 'https://a.b/{x}', 'https://a.b/|^'],
    ...[
      'https://a.b/%',
      'https://a.b/%4',
      'https://a.b/%zz',
      'https://a.b/#a#b',
      'https://a.b?q[]=1',
    ],
    ...['https://a.b/[x]', 'https://[::1', 'https://[x]/', 'https://a.b:99999/', 'https://a b/'],
    ...['https://a@b@c/', 'https://a.b:x/', 'https://exa%20mple.com/', 'https://%ff/'],
  ])('rejects %j', (url) => {
    expect(v.is(HttpsUrl, url)).toBe(false);
  });

  test('accepts a URL in RFC 3986 syntax if and only if `URL.canParse` accepts it', () => {
    fc.assert(
      fc.property(
        fc.webUrl({
          validSchemes: ['https'],
          withQueryParameters: true,
          withFragments: true,
          authoritySettings: { withIPv4: true, withIPv6: true, withPort: true, withUserInfo: true },
        }),
        (url) => v.is(HttpsUrl, url) === URL.canParse(url),
      ),
      { numRuns: 1000 },
    );
  });
});
