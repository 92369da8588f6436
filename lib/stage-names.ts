/** The stages that lib/stages.ts describes one by one. */
export const listed = ['dev', 'staging', 'prod'] as const;

/** What a stage of one's own may be called: it becomes part of names of every service. */
export const ownStageName = /^[a-z][a-z0-9-]{0,18}[a-z0-9]$/;

/** A stage would have the name of another stack: that of bin/ci-roles.ts. */
const taken = 'ci-roles';

/** The name that somebody who typed this may have meant, as it begins so or is one letter away. */
export const slipOf = (name: string): string | undefined =>
  [...listed, taken].find((one) => name.startsWith(one) || isOneAway(name, one));

/** Whether one letter more, less, other, or two that changed places make one of the other. */
function isOneAway(a: string, b: string): boolean {
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  let at = 0;
  while (at < shorter.length && longer[at] === shorter[at]) at += 1;
  const [restOfLonger, restOfShorter] = [longer.slice(at), shorter.slice(at)];
  if (longer.length > shorter.length) return restOfLonger.slice(1) === restOfShorter;
  const isOther = restOfLonger.slice(1) === restOfShorter.slice(1);
  const changedPlaces =
    restOfLonger[0] === restOfShorter[1] &&
    restOfLonger[1] === restOfShorter[0] &&
    restOfLonger.slice(2) === restOfShorter.slice(2);
  return isOther || changedPlaces;
}

/** How the stack of a stage is called. */
export const stackNameOf = (stageName: string) => `messaging-${stageName}`;

/** Whatever is deployed carries the name of its stage: permissions and the bill can go by it. */
export const stageTag = 'messaging-stage';
