import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from '@jest/globals';
import { UrlRefused } from '../../../shared/webhooks/endpoint-url.ts';
import { createGuardedLookup, requirePublicName } from '../../../shared/webhooks/guarded-lookup.ts';
import { postToEndpoint } from '../../../shared/webhooks/post-to-endpoint.ts';

const toAddress = (address: string): LookupAddress => ({
  address,
  family: address.includes(':') ? 6 : 4,
});

/** Creates a resolver that returns the lists of addresses in turn. */
function createResolver(...replies: string[][]) {
  const names: string[] = [];
  return {
    names,
    resolve: async (name: string) => {
      names.push(name);
      return (replies[names.length - 1] ?? []).map(toAddress);
    },
  };
}

/** Calls a lookup with a callback, as a socket does. */
const lookUp = (lookup: ReturnType<typeof createGuardedLookup>, all: boolean) =>
  new Promise<unknown>((resolve, reject) =>
    lookup('partner.example', { all }, (error, addresses) =>
      error ? reject(error) : resolve(addresses),
    ),
  );

describe('A guarded DNS lookup', () => {
  test('resolves the name once, and returns all addresses or, with `all` set to false, the first address', async () => {
    const { resolve, names } = createResolver(['8.8.8.8', '2600::1'], ['8.8.8.8', '2600::1']);
    const lookup = createGuardedLookup(resolve);
    expect(await lookUp(lookup, true)).toEqual(['8.8.8.8', '2600::1'].map(toAddress));
    expect(await lookUp(lookup, false)).toBe('8.8.8.8');
    expect(names).toEqual(['partner.example', 'partner.example']);
  });

  test.each([true, false])(
    'fails if any address is not public, with `all` set to %s',
    async (all) => {
      const { resolve } = createResolver(['8.8.8.8', '10.0.0.1']);
      await expect(lookUp(createGuardedLookup(resolve), all)).rejects.toThrow(
        'must be a public address, and 10.0.0.1 is not',
      );
    },
  );

  test('fails if the name later resolves to a private address', async () => {
    const { resolve } = createResolver(['8.8.8.8'], ['169.254.169.254']);
    const lookup = createGuardedLookup(resolve);
    await lookUp(lookup, true);
    await expect(lookUp(lookup, true)).rejects.toThrow(UrlRefused);
  });

  test('fails if the name has no address, or the resolver fails', async () => {
    const { resolve } = createResolver([]);
    await expect(lookUp(createGuardedLookup(resolve), true)).rejects.toThrow('has no address');
    const fails = createGuardedLookup(async () => {
      throw new Error('SERVFAIL');
    });
    await expect(lookUp(fails, true)).rejects.toThrow('SERVFAIL');
  });
});

test('A new endpoint’s name is refused if any of its addresses is not public', async () => {
  const { resolve } = createResolver(['8.8.8.8'], ['8.8.8.8', '::ffff:10.0.0.1']);
  await requirePublicName('partner.example', resolve);
  await expect(requirePublicName('partner.example', resolve)).rejects.toThrow(UrlRefused);
});

describe('A POST to a webhook endpoint', () => {
  test.each(['127.0.0.1', 'fd00:ec2::254'])(
    'does not connect to a name that resolves to %s',
    async (address) => {
      const { resolve: resolveName, names } = createResolver([address]);
      await expect(
        postToEndpoint('https://partner.example/', {}, '{}', { reach: 'public', resolveName }),
      ).rejects.toThrow(UrlRefused);
      expect(names).toEqual(['partner.example']);
    },
  );
});
