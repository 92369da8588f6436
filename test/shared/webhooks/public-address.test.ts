import { describe, expect, test } from '@jest/globals';
import { parseEndpointUrl, UrlRefused } from '../../../shared/webhooks/endpoint-url.ts';
import { isPublicAddress } from '../../../shared/webhooks/public-address.ts';
import fc from '../../support/setup/fast-check.ts';

/** Addresses in networks outside the public internet, often a network's first and last address. */
const privateAddresses = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
  ...['127.0.0.1', '127.255.255.255', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ...['172.16.0.0', '172.31.255.255', '192.0.0.0', '192.0.0.255', '192.0.2.1', '192.88.99.1'],
  ...['192.31.196.1', '192.52.193.1', '192.175.48.1'],
  ...['192.168.0.0', '192.168.255.255', '198.18.0.0', '198.19.255.255', '198.51.100.1'],
  ...['203.0.113.1', '224.0.0.0', '239.255.255.255', '240.0.0.0', '255.255.255.255'],
  // IPv6: unspecified, loopback, IPv4-compatible, IPv4-mapped in both spellings, NAT64, local
  // NAT64, discard, IPv4-translated.
  ...['::', '::1', '::127.0.0.1', '::8.8.8.8', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  ...['::ffff:8.8.8.8', '0:0:0:0:0:ffff:a00:1', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8'],
  ...['64:ff9b:1::1', '100::1', '::ffff:0:127.0.0.1'],
  // Unique local (including AWS's metadata service), link-local, site-local, multicast.
  ...['fc00::', 'fd00:ec2::254', 'fdff::1', 'fe80::', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1'],
  // Teredo, benchmarking, ORCHID, documentation, 6to4, AS112, segment routing.
  ...['2001::1', '2001:2::1', '2001:20::1', '2001:1ff::1', '2001:db8::1', '2002:7f00:1::'],
  ...['2002:808:808::1', '3fff::1', '2620:4f:8000::1', '5f00::1'],
];
const publicAddresses = [
  ...['1.0.0.0', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255'],
  ...['172.32.0.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
  ...['223.255.255.255', '2001:200::1', '2001:4860:4860::8888', '2600:1f18::1', '2a00::1'],
];

describe('An address', () => {
  test.each(privateAddresses)('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(publicAddresses)('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    '',
    'localhost',
    '8.8.8',
    '010.8.8.8',
    '0x8.8.8.8',
    '134744072',
    '2600::1%eth0',
    '[2600::1]',
  ])('%j is invalid, and not public', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

const getRefusalReason = (url: string, reach: 'public' | 'local' = 'public') => {
  try {
    parseEndpointUrl(url, reach);
    return undefined;
  } catch (error) {
    if (!(error instanceof UrlRefused)) throw error;
    return error.message;
  }
};
const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address);

describe('The URL of an endpoint', () => {
  test.each([
    'https://example.com/hooks?from=chat',
    'https://example.com:443/',
    'https://8.8.8.8/',
  ])('%s is accepted', (url) => {
    expect(getRefusalReason(url)).toBeUndefined();
  });

  test.each(['127.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fd00:ec2::254'])(
    'must not have the address %s',
    (address) => {
      expect(getRefusalReason(`https://${inUrl(address)}/`)).toMatch(/^must be a public address/);
    },
  );

  test('must not have a private IPv4 address in decimal, octal or hexadecimal notation', () => {
    const number = fc.constantFrom('decimal', 'octal', 'hex');
    const formatNumber = (value: number, base: string) =>
      base === 'hex'
        ? `0x${value.toString(16)}`
        : base === 'octal'
          ? `0${value.toString(8)}`
          : `${value}`;
    const parts = fc.constantFrom(...privateAddresses.filter((one) => !one.includes(':')));
    fc.assert(
      fc.property(
        parts,
        number,
        number,
        number,
        number,
        fc.integer({ min: 1, max: 4 }),
        (address, ...rest) => {
          const [a, b, c, d, length] = rest;
          const bytes = address.split('.').map(Number);
          // If the host has fewer than four numbers, the last number contains all remaining bytes.
          const head = bytes.slice(0, Number(length) - 1);
          const tail = bytes.slice(head.length).reduce((sum, byte) => sum * 256 + byte, 0);
          const bases = [a, b, c, d].map(String);
          const host = [...head, tail]
            .map((value, n) => formatNumber(value, bases[n] ?? 'decimal'))
            .join('.');
          expect([host, getRefusalReason(`https://${host}/`)]).toEqual([
            host,
            expect.stringMatching(/public/),
          ]);
        },
      ),
    );
  });

  test.each([
    ['http://example.com/', 'must begin with https://'],
    ['ftp://example.com/', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['https://example.com:8443/', 'must use port 443'],
    ['https://example.com:80/', 'must use port 443'],
    ['https://user@example.com/', 'must not contain credentials'],
    ['https://user:password@example.com/', 'must not contain credentials'],
    ['https://example.com/#part', 'must not contain a fragment'],
    ['https://[fe80::1%25eth0]/', 'must be a URL such as https://partner.example.com/hooks'],
    ['https://[fe80::1%eth0]/', 'must be a URL such as https://partner.example.com/hooks'],
    ['example.com', 'must be a URL such as https://partner.example.com/hooks'],
    ['https://', 'must be a URL such as https://partner.example.com/hooks'],
    ['', 'must be a URL such as https://partner.example.com/hooks'],
    [`https://example.com/${'a'.repeat(2048)}`, 'must be at most 2048 characters'],
    ['https://１２７.０.０.１/', 'must be a public address, and 127.0.0.1 is not'],
    ['https://127。0。0。1/', 'must be a public address, and 127.0.0.1 is not'],
  ])('%j is refused: it %s', (url, reason) => {
    expect(getRefusalReason(url)).toBe(reason);
  });

  test.each([
    ['http://127.0.0.1:9000/hooks', true],
    ['http://127.1:9000/', true],
    ['http://localhost:9000/', false],
    ['http://127.0.0.2:9000/', false],
    ['http://[::1]:9000/', false],
    ['http://10.0.0.1/', false],
    ['https://127.0.0.1/', false],
    ['https://example.com/', false],
  ])('in the local cloud, %s is accepted: %s', (url, isAccepted) => {
    expect(getRefusalReason(url, 'local') === undefined).toBe(isAccepted);
  });
});
