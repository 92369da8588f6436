import type { ServingFunction, Version } from './serving.ts';
import type { StackUpdate } from './stack-updates.ts';

/** The planned change of one function. */
export interface Step {
  one: ServingFunction;
  /** The version to receive all requests; undefined if the function stays unchanged. */
  to: Version | undefined;
  /** Why it stays unchanged. */
  why?: string;
}

/**
 * Plans the state before a point in time: for each function, its newest version published before
 * then.
 */
export const planBefore = (functions: ServingFunction[], moment: Date): Step[] =>
  functions.map((one) => {
    if (one.serving.every((number) => publishedBefore(one, number, moment))) {
      return stay(one, 'already runs code from before');
    }
    const to = one.versions.find(({ published }) => published < moment);
    return to ? { one, to } : stay(one, 'is new and has no earlier code');
  });

/** Plans the version in the stack for each function. */
export const planDeployed = (functions: ServingFunction[]): Step[] =>
  functions.map((one) => {
    const to = one.versions.find(({ number }) => number === one.stackVersion);
    if (!to) return stay(one, 'has no version in the stack');
    return servesAlone(one, to) ? stay(one, 'already runs this version') : { one, to };
  });

/** Plans one version of one function. */
export const planVersion = (one: ServingFunction, to: Version): Step =>
  servesAlone(one, to) ? stay(one, 'already runs this version') : { one, to };

const servesAlone = ({ serving: [first, ...others] }: ServingFunction, { number }: Version) =>
  first === number && others.length === 0;

const stay = (one: ServingFunction, why: string): Step => ({ one, to: undefined, why });

/** A version deleted from Lambda counts as older than all others. */
const publishedBefore = ({ versions }: ServingFunction, number: number, moment: Date): boolean => {
  const found = versions.find((version) => version.number === number);
  return found === undefined || found.published < moment;
};

/**
 * Returns the latest deployment whose code is running; undefined if CloudFormation has no record of
 * it.
 */
export async function updateThatServes(
  functions: ServingFunction[],
  updates: AsyncIterable<StackUpdate>,
): Promise<StackUpdate | undefined> {
  for await (const update of updates) {
    const isServing = functions.some((one) =>
      one.serving.some((number) => !publishedBefore(one, number, update.start)),
    );
    if (isServing) return update;
  }
  return undefined;
}
