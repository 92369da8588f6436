import { createHash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Random values that depend only on the seed and the generator's name. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number;
  /** Returns an integer between the bounds, inclusive. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  one<Item>(list: readonly Item[]): Item | undefined;
}

/** Creates a generator. Each name has a separate sequence, so clients do not affect each other. */
export function createRandom(seed: number, name: string): Random {
  const generator = xoroshiro128plus(seed ^ hash(name));
  const fraction = () => uniformFloat64(generator);
  const integer = (min: number, max: number) => uniformInt(generator, min, max);
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    one: (list) => (list.length > 0 ? list[integer(0, list.length - 1)] : undefined),
  };
}

const hash = (text: string): number => createHash('sha256').update(text).digest().readInt32BE();
