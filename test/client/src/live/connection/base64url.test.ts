import { expect, test } from '@jest/globals';
import {
  fromBase64Url,
  readTokenSubject,
  toBase64Url,
} from '../../../../../client/src/live/connection/base64url.ts';
import fc from '../../../../support/setup/fast-check.ts';

const bytes = fc.string({ unit: fc.nat({ max: 255 }).map((byte) => String.fromCharCode(byte)) });

test('base64url is as Node has it, both ways, with padding or without', () => {
  fc.assert(
    fc.property(bytes, (text) => {
      const encoded = Buffer.from(text, 'latin1').toString('base64url');
      expect(toBase64Url(text)).toBe(encoded);
      expect(fromBase64Url(encoded)).toBe(text);
      expect(fromBase64Url(encoded.padEnd(Math.ceil(encoded.length / 4) * 4, '='))).toBe(text);
    }),
  );
});

test('A token says whose it is, and one that does not says nothing', () => {
  const token = (claims: string) => `x.${Buffer.from(claims).toString('base64url')}.x`;
  expect(readTokenSubject(token('{"sub": "ann", "name": "Änn 🦉"}'))).toBe('ann');
  for (const one of ['', 'x', 'x.y.z', token('[]'), token('{"sub": 7}'), token('null')]) {
    expect(readTokenSubject(one)).toBeUndefined();
  }
});
