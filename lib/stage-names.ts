/** Stages listed in lib/stages.ts. */
export const listedStages = ['dev', 'staging', 'prod'] as const;

/** Pattern for the name of a custom stage, which becomes part of AWS resource names. */
export const ownStageName = /^[a-z][a-z0-9-]{0,18}[a-z0-9]$/;

/** A stage with this name would have the same stack name as the stack of bin/ci-roles.ts. */
const reservedName = 'ci-roles';

/**
 * Returns the listed or reserved name that the user may have meant: a prefix of the typed name, or
 * a name that differs by at most one edit.
 */
export const findSimilarName = (name: string): string | undefined =>
  [...listedStages, reservedName].find(
    (one) => name.startsWith(one) || differsByOneEdit(name, one),
  );

/**
 * Reports whether at most one insertion, deletion, replacement or swap of adjacent characters turns
 * `a` into `b`.
 */
function differsByOneEdit(a: string, b: string): boolean {
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  let at = 0;
  while (at < shorter.length && longer[at] === shorter[at]) at += 1;
  const [restOfLonger, restOfShorter] = [longer.slice(at), shorter.slice(at)];
  if (longer.length > shorter.length) return restOfLonger.slice(1) === restOfShorter;
  const isReplacement = restOfLonger.slice(1) === restOfShorter.slice(1);
  const isSwap =
    restOfLonger[0] === restOfShorter[1] &&
    restOfLonger[1] === restOfShorter[0] &&
    restOfLonger.slice(2) === restOfShorter.slice(2);
  return isReplacement || isSwap;
}

/** Returns the name of a stage's stack. */
export const toStackName = (stageName: string) => `messaging-${stageName}`;

/**
 * Key of the tag on all deployed resources, for permissions and cost allocation. The value is the
 * stage name.
 */
export const stageTag = 'messaging-stage';
