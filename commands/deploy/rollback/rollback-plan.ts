import type { PublishedVersion, ServingFunction } from './serving-versions.ts';
import type { StackUpdate } from './stack-updates.ts';

/** The planned change of one function. */
export interface PlannedMove {
  deployed: ServingFunction;
  /** The version to receive all requests; undefined if the function stays unchanged. */
  to: PublishedVersion | undefined;
  /** Why it stays unchanged. */
  reason?: string;
}

/**
 * Plans the state before a point in time: for each function, its newest version published before
 * then.
 */
export const planStateBefore = (functions: ServingFunction[], time: Date): PlannedMove[] =>
  functions.map((one) => {
    if (one.serving.every((number) => wasPublishedBefore(one, number, time))) {
      return keepVersion(one, 'already runs code from before');
    }
    const to = one.versions.find(({ published }) => published < time);
    return to ? { deployed: one, to } : keepVersion(one, 'is new and has no earlier code');
  });

/** Plans the version in the stack for each function. */
export const planDeployed = (functions: ServingFunction[]): PlannedMove[] =>
  functions.map((one) => {
    const to = one.versions.find(({ number }) => number === one.stackVersion);
    if (!to) return keepVersion(one, 'has no version in the stack');
    return isOnlyVersion(one, to)
      ? keepVersion(one, 'already runs this version')
      : { deployed: one, to };
  });

/** Plans one version of one function. */
export const planVersion = (one: ServingFunction, to: PublishedVersion): PlannedMove =>
  isOnlyVersion(one, to) ? keepVersion(one, 'already runs this version') : { deployed: one, to };

const isOnlyVersion = (
  { serving: [first, ...others] }: ServingFunction,
  { number }: PublishedVersion,
) => first === number && others.length === 0;

const keepVersion = (one: ServingFunction, why: string): PlannedMove => ({
  deployed: one,
  to: undefined,
  reason: why,
});

/** A version deleted from Lambda counts as older than all others. */
const wasPublishedBefore = ({ versions }: ServingFunction, number: number, time: Date): boolean => {
  const found = versions.find((version) => version.number === number);
  return found === undefined || found.published < time;
};

/**
 * Returns the latest deployment whose code is running; undefined if CloudFormation has no record of
 * it.
 */
export async function findServingUpdate(
  functions: ServingFunction[],
  updates: AsyncIterable<StackUpdate>,
): Promise<StackUpdate | undefined> {
  for await (const update of updates) {
    const isServing = functions.some((one) =>
      one.serving.some((number) => !wasPublishedBefore(one, number, update.start)),
    );
    if (isServing) return update;
  }
  return undefined;
}
