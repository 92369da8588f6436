import { Problem } from '../problem.ts';
import { type Stage, stageNamed } from '../stages.ts';

/** The stage that the person at the keyboard names; a Problem if there is none of that name, or none is named. */
export function stageGiven(name: string | undefined): { name: string; stage: Stage } {
  if (name === undefined) throw new Problem('Say which stage: --stage NAME, such as --stage dev.');
  return { name, stage: stageNamed(name) };
}
