import fc from 'fast-check';

/**
 * What all of a file's properties draw from: `SEED` of the environment, or one that each file draws for itself. A property
 * that fails prints it; `SEED=… npm test -- FILE` draws the same again, though what several callers do at once may meet
 * otherwise.
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
