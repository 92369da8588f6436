import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { notPublic, UrlRefused } from './endpoint-url.ts';
import { isPublicAddress } from './public-address.ts';

export type ResolveName = (name: string) => Promise<LookupAddress[]>;

const resolveBySystem: ResolveName = (name) =>
  new Promise((resolve, reject) =>
    systemLookup(name, { all: true }, (error, addresses) =>
      error ? reject(error) : resolve(addresses),
    ),
  );

/**
 * Returns a socket's `lookup` function, which fails if any of the name's addresses is not public.
 * The socket connects only to the returned addresses, so later DNS changes have no effect.
 */
export const createGuardedLookup =
  (resolveName: ResolveName = resolveBySystem): LookupFunction =>
  (name, options, callback) => {
    resolveName(name).then(
      (addresses) => {
        const [first] = addresses;
        const refused = addresses.find(({ address }) => !isPublicAddress(address));
        if (refused) callback(new UrlRefused(notPublic(refused.address)), []);
        else if (!first) callback(new Error(`${name} has no address.`), []);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };

/** Throws `UrlRefused` if any of the name's addresses is not public. */
export async function requirePublicName(
  name: string,
  resolveName: ResolveName = resolveBySystem,
): Promise<void> {
  for (const { address } of await resolveName(name.replace(/^\[(.*)\]$/, '$1'))) {
    if (!isPublicAddress(address)) throw new UrlRefused(notPublic(address));
  }
}
