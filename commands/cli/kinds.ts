import { InvalidArgumentError } from '@commander-js/extra-typings';
import { Problem } from '../../lib/problem.ts';
import { getStage } from '../../lib/stages.ts';

/** Parses the value of an option. The command prefixes a thrown Problem with the option's name. */
export const kind =
  <Value>(read: (text: string) => Value) =>
  (text: string): Value => {
    try {
      return read(text);
    } catch (error) {
      throw error instanceof Problem ? new InvalidArgumentError(error.message) : error;
    }
  };

/** Parses the name of a predefined stage, or a valid custom name. */
export const stageName = kind((text) => {
  getStage(text);
  return text;
});

/** Parses numbers such as `5000000`, `5_000_000`, `-1` or `0.5`. */
export const numberFrom = (least: number, most = Number.POSITIVE_INFINITY) =>
  numberThat('a number', () => true, least, most);

export const wholeNumberFrom = (least: number, most: number) =>
  numberThat('a whole number', Number.isInteger, least, most);

const numberThat = (what: string, is: (value: number) => boolean, least: number, most: number) =>
  kind((text) => {
    const value = /^-?\d[\d_]*(\.\d+)?$/.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN;
    if (is(value) && value >= least && value <= most) return value;
    throw new Problem(
      `Give ${what} ${Number.isFinite(most) ? `from ${least} to ${most}` : `of at least ${least}`}.`,
    );
  });
