/** Draws lots; the same seed draws the same ones. */
export interface Random {
  /** From 0 up to 1, 1 not included. */
  fraction(): number;
  /** Both ends included. */
  integer(least: number, most: number): number;
  happens(probability: number): boolean;
  one<Item>(list: readonly Item[]): Item | undefined;
}

/** Each `name` has its own lots, so that what one person draws does not depend on how quick the others are. */
export function randomFrom(seed: number, name: string): Random {
  const fraction = mulberry32(seed ^ hash(name));
  const integer = (least: number, most: number) =>
    least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    integer,
    happens: (probability) => fraction() < probability,
    one: (list) => list[integer(0, list.length - 1)],
  };
}

/** FNV-1a. */
const hash = (text: string): number =>
  [...text].reduce(
    (value, character) => Math.imul(value ^ (character.codePointAt(0) ?? 0), 16_777_619),
    0x811c9dc5,
  );

/** Numbers from 0 to 1 that look like chance, and are the same for the same seed. */
export function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
