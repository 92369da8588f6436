/**
 * How much a test does that makes up what it does, or that goes through all there is: a sample in `npm test`, all of it in
 * `npm run test:thorough`. Each test file that imports this is in both (see jest.config.js).
 */

import { describe, test } from '@jest/globals';

declare global {
  /** Jest's configuration says so. */
  var runsThorough: boolean | undefined;
}

export const isThorough = globalThis.runsThorough === true;

export const sized = <Size>(sample: Size, all: Size): Size => (isThorough ? all : sample);

/** Of the list all, or of each `stride` the first. */
export const sampleOf = <One>(list: readonly One[], stride: number): readonly One[] =>
  isThorough ? list : list.filter((_, n) => n % stride === 0);

/** Of a test for which a sample would say nothing: it is run with all. */
export const thoroughTest = isThorough ? test : test.skip;
export const thoroughDescribe = isThorough ? describe : describe.skip;
