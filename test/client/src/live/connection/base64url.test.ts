import { expect, test } from '@jest/globals';
import { fromBase64Url, toBase64Url } from '../../../../../client/src/live/connection/base64url.ts';
import { readTokenSubject } from '../../../../../client/src/live/connection/token-subject.ts';
import fc from '../../../../support/setup/fast-check.ts';

const bytes = fc.string({ unit: fc.nat({ max: 255 }).map((byte) => String.fromCharCode(byte)) });

test('toBase64Url encodes as Node does, and fromBase64Url decodes with or without padding', () => {
  fc.assert(
    fc.property(bytes, (text) => {
      const encoded = Buffer.from(text, 'latin1').toString('base64url');
      expect(toBase64Url(text)).toBe(encoded);
      expect(fromBase64Url(encoded)).toBe(text);
      expect(fromBase64Url(encoded.padEnd(Math.ceil(encoded.length / 4) * 4, '='))).toBe(text);
    }),
  );
});

test('readTokenSubject returns the token’s subject, or undefined if it has no readable subject', () => {
  const token = (claims: string) => `x.${Buffer.from(claims).toString('base64url')}.x`;
  expect(readTokenSubject(token('{"sub": "ann", "name": "Änn 🦉"}'))).toBe('ann');
  for (const one of ['', 'x', 'x.y.z', token('[]'), token('{"sub": 7}'), token('null')]) {
    expect(readTokenSubject(one)).toBeUndefined();
  }
});
