import { InvalidArgumentError } from '@commander-js/extra-typings';
import { Problem } from '../../lib/problem.ts';
import { getStage } from '../../lib/stages.ts';

/**
 * Returns a parser for the value of an option or an argument. If `parse` throws a Problem, the
 * command prints the name of the option or argument, and the Problem's message.
 */
export const toParser =
  <Value>(parse: (text: string) => Value) =>
  (text: string): Value => {
    try {
      return parse(text);
    } catch (error) {
      throw error instanceof Problem ? new InvalidArgumentError(error.message) : error;
    }
  };

/** Parses the name of a predefined stage, or a valid custom name. */
export const parseStageName = toParser((text) => {
  getStage(text);
  return text;
});

/** Returns a parser for numbers such as `5000000`, `5_000_000`, `-1` or `0.5`. */
export const createNumberParser = (minimum: number, maximum = Number.POSITIVE_INFINITY) =>
  createParser('a number', () => true, minimum, maximum);

export const createIntegerParser = (minimum: number, maximum: number) =>
  createParser('a whole number', Number.isInteger, minimum, maximum);

const createParser = (
  description: string,
  isValid: (value: number) => boolean,
  minimum: number,
  maximum: number,
) =>
  toParser((text) => {
    const value = /^-?\d[\d_]*(\.\d+)?$/.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN;
    if (isValid(value) && value >= minimum && value <= maximum) return value;
    throw new Problem(
      `Give ${description} ${Number.isFinite(maximum) ? `from ${minimum} to ${maximum}` : `of at least ${minimum}`}.`,
    );
  });
