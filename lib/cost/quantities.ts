import { type Price, type PriceName, priceNames, prices, type Quantities } from './prices.ts';

export const add = (...all: Quantities[]): Quantities =>
  combine((name) => all.reduce((sum, one) => sum + (one[name] ?? 0), 0));

export const times = (quantities: Quantities, factor: number): Quantities =>
  combine((name) => (quantities[name] ?? 0) * factor);

/** Only what is more than nothing. */
const combine = (quantityOf: (name: PriceName) => number): Quantities =>
  Object.fromEntries(
    priceNames.map((name) => [name, quantityOf(name)] as const).filter(([, q]) => q > 0),
  );

/** What so much costs in a month, tier by tier; without what is free unless `free` says so. */
export function costOf(name: PriceName, quantity: number, free: boolean): number {
  const price: Price = prices[name];
  // What is free is the first of the first tier.
  let below = free ? price.free : 0;
  let left = Math.max(0, quantity - below);
  let usd = 0;
  for (const { upTo = Number.POSITIVE_INFINITY, usd: each } of price.tiers) {
    const inTier = Math.min(left, upTo - below);
    usd += inTier * each;
    left -= inTier;
    below = upTo;
  }
  return usd;
}
