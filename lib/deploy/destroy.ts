import { Problem } from '../local/problem.ts';
import { stackNameOf } from '../stage-names.ts';
import { confirm } from './confirm.ts';
import { stageGiven } from './stage-given.ts';
import type { Tools } from './tools.ts';

export interface DestroyOptions {
  stage: string | undefined;
  /** Ask nothing. */
  yes: boolean;
}

/** Removes the stack of a stage, and its data; never of one that keeps its data. */
export async function destroy(options: DestroyOptions, tools: Tools): Promise<void> {
  const { name, stage } = stageGiven(options.stage);
  if (stage.keepsData) {
    throw new Problem(
      `${name} keeps its data (keepsData in lib/stages.ts), so this command does not remove it, with or without --yes.\n` +
        'How to do it by hand: docs/deploy.md#destroying',
    );
  }
  if (!options.yes) await confirm(tools, name, `This removes ${name} and all that is in it.`);
  await tools.cdk(['destroy', stackNameOf(name), '-c', `stage=${name}`, '--force']);
  tools.print(`${name} is gone.`);
}
