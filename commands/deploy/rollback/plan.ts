import type { ServingFunction, Version } from './serving.ts';
import type { StackUpdate } from './stack-updates.ts';

/** What becomes of a function. */
export interface Step {
  one: ServingFunction;
  /** The version that is to serve alone; undefined when the function stays as it is. */
  to: Version | undefined;
  /** Why it stays. */
  why?: string;
}

/** Each function as it was before a moment: by the newest of its versions that was published before. */
export const planBefore = (functions: ServingFunction[], moment: Date): Step[] =>
  functions.map((one) => {
    if (one.serving.every((number) => publishedBefore(one, number, moment))) {
      return stay(one, 'serves code from before already');
    }
    const to = one.versions.find(({ published }) => published < moment);
    return to ? { one, to } : stay(one, 'has no code from before: it is new');
  });

/** Each function by the version that the stack says. */
export const planDeployed = (functions: ServingFunction[]): Step[] =>
  functions.map((one) => {
    const to = one.versions.find(({ number }) => number === one.stackVersion);
    if (!to) return stay(one, 'has no version in the stack');
    return servesAlone(one, to) ? stay(one, 'serves it already') : { one, to };
  });

/** One function by a version, whatever the others do. */
export const planVersion = (one: ServingFunction, to: Version): Step =>
  servesAlone(one, to) ? stay(one, 'serves it already') : { one, to };

const servesAlone = ({ serving: [first, ...others] }: ServingFunction, { number }: Version) =>
  first === number && others.length === 0;

const stay = (one: ServingFunction, why: string): Step => ({ one, to: undefined, why });

/** A version that Lambda has no more was there before everything else. */
const publishedBefore = ({ versions }: ServingFunction, number: number, moment: Date): boolean => {
  const found = versions.find((version) => version.number === number);
  return found === undefined || found.published < moment;
};

/** The latest deployment of which some code serves: what went wrong is of it. Undefined when none is remembered. */
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
