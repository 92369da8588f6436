import { InvalidArgumentError } from '@commander-js/extra-typings';
import { Problem } from '../../lib/problem.ts';
import { getStage } from '../../lib/stages.ts';

/** A reader of what is given to an option; a Problem that it throws is told with the option's name. */
export const kind =
  <Value>(read: (text: string) => Value) =>
  (text: string): Value => {
    try {
      return read(text);
    } catch (error) {
      throw error instanceof Problem ? new InvalidArgumentError(error.message) : error;
    }
  };

/** The name of a stage that there is, or that one's own may have. */
export const stageName = kind((text) => {
  getStage(text);
  return text;
});

/** `5000000`, `5_000_000`, `-1` or `0.5`. */
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
