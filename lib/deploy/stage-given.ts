import { messageOf, Problem } from '../local/problem.ts';
import { type Stage, stageNamed } from '../stages.ts';

/** The stage that the person at the keyboard names; a Problem if there is none of that name, or none is named. */
export function stageGiven(name: string | undefined): { name: string; stage: Stage } {
  if (name === undefined) throw new Problem('Say which stage: --stage NAME, such as --stage dev.');
  try {
    return { name, stage: stageNamed(name) };
  } catch (error) {
    throw new Problem(messageOf(error));
  }
}

/** As bin/messaging.ts names it. */
export const stackOf = (stageName: string) => `messaging-${stageName}`;

/** Whatever is deployed carries the name of its stage: permissions and the bill can go by it. */
export const stageTag = 'messaging-stage';
