/**
 * Selects the size of randomized and exhaustive tests: a sample in `npm test`, all cases in
 * `npm run test:thorough`. Both commands run every test file that imports this module (see
 * jest.config.js).
 */

import { describe, test } from '@jest/globals';

declare global {
  /** Set by Jest's configuration. */
  var runsThorough: boolean | undefined;
}

export const isThorough = globalThis.runsThorough === true;

export const selectSize = <Size>(sample: Size, all: Size): Size => (isThorough ? all : sample);

/** Returns the whole list in thorough runs, otherwise every `stride`-th item. */
export const takeSample = <One>(list: readonly One[], stride: number): readonly One[] =>
  isThorough ? list : list.filter((_, n) => n % stride === 0);

/** Defines a test that thorough runs skip, because `npm test` already runs it completely. */
export const quickTest = isThorough ? test.skip : test;
/** Defines a test for which a sample is not enough, so only thorough runs include it. */
export const thoroughTest = isThorough ? test : test.skip;
export const thoroughDescribe = isThorough ? describe : describe.skip;
