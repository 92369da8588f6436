import type { PublishedVersion, ServingFunction } from './serving-versions.ts';
import type { StackUpdate } from './stack-updates.ts';

export interface PlannedMove {
  deployed: ServingFunction;
  /** The version to receive all requests; undefined if the function stays unchanged. */
  to: PublishedVersion | undefined;
  /** Why the function stays unchanged. */
  reason?: string;
}

/**
 * Plans a rollback to the state before a point in time. Each function that runs newer code moves to
 * the newest version published before that time.
 */
export const planStateBefore = (functions: ServingFunction[], time: Date): PlannedMove[] =>
  functions.map((deployed) => {
    if (deployed.serving.every((number) => wasPublishedBefore(deployed, number, time))) {
      return keepVersion(deployed, 'already runs earlier code');
    }
    const to = deployed.versions.find(({ published }) => published < time);
    return to ? { deployed, to } : keepVersion(deployed, 'is new and has no earlier code');
  });

export const planDeployed = (functions: ServingFunction[]): PlannedMove[] =>
  functions.map((deployed) => {
    const to = deployed.versions.find(({ number }) => number === deployed.stackVersion);
    if (!to) return keepVersion(deployed, 'has no version in the stack');
    return isOnlyVersion(deployed, to)
      ? keepVersion(deployed, 'already runs this version')
      : { deployed, to };
  });

export const planVersion = (deployed: ServingFunction, to: PublishedVersion): PlannedMove =>
  isOnlyVersion(deployed, to)
    ? keepVersion(deployed, 'already runs this version')
    : { deployed, to };

const isOnlyVersion = (
  { serving: [first, ...others] }: ServingFunction,
  { number }: PublishedVersion,
) => first === number && others.length === 0;

const keepVersion = (deployed: ServingFunction, reason: string): PlannedMove => ({
  deployed,
  to: undefined,
  reason,
});

/**
 * Reports whether a version was published before `time`. Returns true if the version was deleted
 * from Lambda.
 */
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
    const isServing = functions.some((deployed) =>
      deployed.serving.some((number) => !wasPublishedBefore(deployed, number, update.start)),
    );
    if (isServing) return update;
  }
  return undefined;
}
