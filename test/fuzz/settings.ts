import { sized } from '../support/size.ts';

/** What a run may be told by its environment: how many requests, and the seed that a failed run has printed. */
const numberFrom = (name: string, otherwise: number): number => {
  const text = process.env[name];
  if (text === undefined || text === '') return otherwise;
  const number = Number(text);
  if (Number.isInteger(number)) return number;
  throw new Error(`${name} must be a whole number, not '${text}'.`);
};

export const settings = {
  requests: numberFrom('FUZZ_REQUESTS', sized(240, 10_000)),
  seed: numberFrom('FUZZ_SEED', Date.now() % 0x7fff_ffff),
};
