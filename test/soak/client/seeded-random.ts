import { createHash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Random draws; the same seed gives the same ones. */
export interface Random {
  /** From 0 up to 1, 1 not included. */
  fraction(): number;
  /** Both ends included. */
  integer(least: number, most: number): number;
  chance(probability: number): boolean;
  one<Item>(list: readonly Item[]): Item | undefined;
}

/** Each `name` has its own draws, so that what one person does does not depend on how quick the others are. */
export function createRandom(seed: number, name: string): Random {
  const generator = xoroshiro128plus(seed ^ hash(name));
  const fraction = () => uniformFloat64(generator);
  const integer = (least: number, most: number) => uniformInt(generator, least, most);
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    one: (list) => (list.length > 0 ? list[integer(0, list.length - 1)] : undefined),
  };
}

/** Of a name, as a seed takes numbers only. */
const hash = (text: string): number => createHash('sha256').update(text).digest().readInt32BE();
