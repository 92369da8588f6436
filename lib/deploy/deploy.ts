import { Problem } from '../local/problem.ts';
import { stackNameOf } from '../stage-names.ts';
import { confirm, nobodyToAsk } from './confirm.ts';
import { nextSteps } from './next-steps.ts';
import { stageGiven } from './stage-given.ts';
import type { Tools } from './tools.ts';

export interface DeployOptions {
  stage: string | undefined;
  /** Ask nothing. */
  yes: boolean;
  /** Do not run the checks, as somebody just has. */
  noChecks: boolean;
}

/** Checks, shows what would change, asks, deploys, and says what to do next. */
export async function deploy(options: DeployOptions, tools: Tools): Promise<void> {
  const { name, stage } = stageGiven(options.stage);
  if (!options.yes && !tools.ask) throw new Problem(nobodyToAsk);
  const context = ['-c', `stage=${name}`];
  if (!options.noChecks) await tools.npm(['run', 'check']);
  await tools.cdk(['diff', stackNameOf(name), ...context]);
  if (stage.keepsData && !options.yes) {
    await confirm(tools, name, `This changes ${name}, whose data is kept.`);
  }
  await tools.cdk([
    'deploy',
    stackNameOf(name),
    ...context,
    '--require-approval',
    options.yes ? 'never' : 'broadening',
    '--outputs-file',
    tools.outputsFile,
  ]);
  const { [stackNameOf(name)]: outputs = {} } = await tools.outputs();
  for (const line of nextSteps(name, stage, outputs)) tools.print(line);
}
