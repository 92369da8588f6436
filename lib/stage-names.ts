/** Stages listed in lib/stages.ts. */
export const listedStages = ['dev', 'staging', 'prod'] as const;

/**
 * Pattern for the name of a custom stage. The name becomes part of resource names in several AWS
 * services.
 */
export const ownStageName = /^[a-z][a-z0-9-]{0,18}[a-z0-9]$/;

/** The stack of a stage with this name would have the same name as the stack of bin/ci-roles.ts. */
const reservedName = 'ci-roles';

/**
 * Returns the listed or reserved name that the user may have meant: the typed name starts with that
 * name or differs from it by at most one edit.
 */
export const findSimilarName = (name: string): string | undefined =>
  [...listedStages, reservedName].find(
    (one) => name.startsWith(one) || differsByOneEdit(name, one),
  );

/**
 * Reports whether one insertion, deletion, replacement or swap of adjacent letters turns one name
 * into the other.
 */
function differsByOneEdit(a: string, b: string): boolean {
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  let at = 0;
  while (at < shorter.length && longer[at] === shorter[at]) at += 1;
  const [restOfLonger, restOfShorter] = [longer.slice(at), shorter.slice(at)];
  if (longer.length > shorter.length) return restOfLonger.slice(1) === restOfShorter;
  const isOther = restOfLonger.slice(1) === restOfShorter.slice(1);
  const isSwap =
    restOfLonger[0] === restOfShorter[1] &&
    restOfLonger[1] === restOfShorter[0] &&
    restOfLonger.slice(2) === restOfShorter.slice(2);
  return isOther || isSwap;
}

/** Returns the name of a stage's stack. */
export const stackNameOf = (stageName: string) => `messaging-${stageName}`;

/** Tag of all deployed resources with the stage name, for permissions and cost allocation. */
export const stageTag = 'messaging-stage';
