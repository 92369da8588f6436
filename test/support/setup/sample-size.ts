/**
 * Selects the size of randomized and exhaustive tests: a sample in `npm test`, everything in `npm
 * run test:thorough`. Each test file that imports this runs in both (see jest.config.js).
 */

import { describe, test } from '@jest/globals';

declare global {
  /** Set by Jest's configuration. */
  var runsThorough: boolean | undefined;
}

export const isThorough = globalThis.runsThorough === true;

export const sized = <Size>(sample: Size, all: Size): Size => (isThorough ? all : sample);

/** Returns the whole list in thorough runs, otherwise every `stride`-th item. */
export const sampleOf = <One>(list: readonly One[], stride: number): readonly One[] =>
  isThorough ? list : list.filter((_, n) => n % stride === 0);

/** For tests that `npm test` runs completely. */
export const quickTest = isThorough ? test.skip : test;
/** For tests that need the full set. */
export const thoroughTest = isThorough ? test : test.skip;
export const thoroughDescribe = isThorough ? describe : describe.skip;
