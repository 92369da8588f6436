import fc from 'fast-check';

/**
 * Seed of all properties of a test file: `SEED`, or by default the current time. A failing property
 * prints the seed. `SEED=… npm test -- FILE` repeats the generated values, but not the interleaving
 * of concurrent calls.
 */
export const seed = seedFrom(process.env.SEED);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

export default fc;

function seedFrom(text: string | undefined): number {
  if (!text) return Date.now() % 2 ** 31;
  const number = Number(text);
  if (Number.isInteger(number)) return number;
  throw new Error(`SEED must be a whole number, not '${text}'.`);
}
