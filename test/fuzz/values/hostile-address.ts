import fc from '../../support/setup/fast-check.ts';
import { bytes, encodeLoosely } from './encode.ts';
import { formValues } from './hostile-body.ts';
import { hostileText, inheritedNames } from './hostile-values.ts';
import { placeholder } from './placeholders.ts';

export const hostileQuery: fc.Arbitrary<string> = fc.oneof(
  fc
    .array(
      fc.tuple(
        fc.oneof(
          fc.constantFrom(
            'limit',
            'conversation_id',
            'starting_after',
            'ending_before',
            'group_id',
          ),
          fc.constantFrom('muted', 'active', 'format', 'limit[]', 'limit[a]', '', '%', '%00', 'x'),
          fc.constantFrom(...inheritedNames),
        ),
        formValues,
      ),
      { maxLength: 4 },
    )
    .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&')),
  fc.constantFrom(
    ...[
      'limit=1&limit=2',
      'limit',
      '?',
      '&',
      '&&=&',
      '%',
      'limit=%ff',
      'limit=1;muted=true',
      '%zz=%zz',
    ],
    ...['limit=%E2%80%8B1', 'limit=+1', 'limit=1%20', 'limit=1%00', 'limit=0x1', 'limit=1e1'],
    `limit=2&x=${'%C3%BF'.repeat(1400)}`,
    `limit=1&${bytes(0xff, 0xc3, 0xa9)}=${bytes(0xff).repeat(4000)}`,
    Array.from({ length: 1500 }, (_, n) => `a${n}`).join('&'),
    `limit=${'9'.repeat(5000)}`,
  ),
);

export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  hostileText.map(encodeLoosely).filter((text) => text !== '' && text.length < 8000),
  fc.constantFrom(
    ...[
      '%',
      '%zz',
      '%00',
      '%ff',
      '%c0%80',
      '%ed%a0%80',
      '%2F',
      '..',
      '.',
      '%2e%2e',
      '..%2f..',
      '%25',
    ],
    ...['|message:0|%00', '|conversation:0|/', '|message:0|%20', '|conversation:0|%0a', ';a=b'],
    ...[
      '|conversation:0|~1',
      'x%23MESSAGE%231',
      '%7B%7Bx%7D%7D',
      bytes(0xff, 0xfe),
      'a'.repeat(9000),
    ],
  ),
  placeholder('confidential-conversation').map((id) => `CONVERSATION%23${id}`),
  placeholder('confidential-message').map((id) => `${id}%23`),
);
