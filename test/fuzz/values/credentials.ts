import fc from '../../support/setup/fast-check.ts';

export type Credential =
  | { kind: 'person'; n: number }
  /** Values of zero or more Authorization headers. */
  | { kind: 'header'; values: string[] }
  /** One of the fixture's invalid tokens. */
  | { kind: 'odd token'; n: number };

export const validCredential: fc.Arbitrary<Credential> = fc
  .nat(3)
  .map((n): Credential => ({ kind: 'person', n }));

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const none = `${part({ alg: 'none' })}.${part({ sub: 'ann', exp: 4e9 })}.`;
const otherKey = `${part({ alg: 'RS256', kid: 'other' })}.${part({ sub: 'ann', exp: 4e9 })}.c2ln`;

export const invalidCredential: fc.Arbitrary<Credential> = fc.oneof(
  fc
    .constantFrom(
      ...['', 'Bearer', 'Bearer ', 'Bearer x', 'bearer a.b.c', 'Basic YTpi', 'Bearer ..', 'x'],
      ...['Bearer a.b.c.d', 'Bearer e30.e30.e30', 'Bearer null', 'Bearer \u00e9', '__proto__'],
      ...[
        'Bearer W10.W10.W10',
        'Bearer bnVsbA.bnVsbA.bnVsbA',
        'Bearer IiI.IiI.IiI',
        'Digest a="b"',
      ],
      ...[`Bearer ${none}`, `Bearer ${otherKey}`, `Bearer ${'a'.repeat(6000)}`],
      ...['|token:0|.', '|token:0| x', 'x |token:0|', '|token:0|, |token:1|'],
    )
    .map((value): Credential => ({ kind: 'header', values: [value] })),
  fc.constant<Credential>({ kind: 'header', values: [] }),
  fc.constant<Credential>({ kind: 'header', values: ['|token:0|', 'Bearer x'] }),
  fc.nat(20).map((n): Credential => ({ kind: 'odd token', n })),
);
