import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { Problem } from '../../lib/problem.ts';
import { stackNameOf } from '../../lib/stage-names.ts';
import { getStage } from '../../lib/stages.ts';
import { confirm, nobodyToAsk } from '../cli/confirm.ts';
import type { Tools } from '../cli/tools.ts';
import { requireLocation } from '../stage/place.ts';
import { atOnceOptions } from './at-once.ts';
import { commitOptions } from './commit.ts';
import { concernsOf } from './concerns.ts';
import { concurrencyConcerns } from './concurrency.ts';
import { deployClient } from './deploy-client.ts';
import { nextSteps } from './next-steps.ts';
import { settle } from './rollback/settle.ts';
import { findStack, isUpdate } from './stack-state.ts';
import { update } from './update.ts';

export interface DeployOptions {
  /** Its name. */
  stage: string;
  /** Ask nothing. */
  yes: boolean;
  /** Run the checks before. */
  checks: boolean;
  /** Look afterwards whether it works. */
  verify: boolean;
  /** New code serves at once, as CodeDeploy lets none in while an alarm is raised. */
  atOnce: boolean;
  /** Names in the template of what is meant to leave the stack and stay in the account. */
  letGo: readonly string[];
}

/**
 * Shows where to, checks, shows what would change, asks, deploys, has everything serve what was deployed, looks whether
 * it works, and says what to do next. Refuses another account than the stage's, and what would lose something.
 */
export async function deploy(options: DeployOptions, tools: Tools): Promise<void> {
  const { stage: name } = options;
  const stage = getStage(name);
  const stackName = stackNameOf(name);
  if (!options.yes && !tools.ask) throw new Problem(nobodyToAsk);
  const caller = await requireLocation(name, stage, tools.print);
  const stack = await findStack(new CloudFormationClient(), stackName);
  const changes = isUpdate(stackName, stack);
  const concerns = [
    ...concernsOf(name, stage),
    ...(await concurrencyConcerns(new LambdaClient(), name, stage)),
  ];
  for (const concern of concerns) tools.print(`Mind: ${concern}`);

  if (options.checks) await tools.npm(['run', 'check']);
  const commit = await tools.commit();
  const context = [
    '-c',
    `stage=${name}`,
    ...atOnceOptions(options.atOnce),
    ...commitOptions(commit),
  ];
  await tools.cdk(['diff', stackName, ...context]);
  if (stage.keepsData && !options.yes) {
    for (const concern of concerns) tools.print(`Mind: ${concern}`);
    await confirm(tools, name, `This changes ${name}, whose data is kept.`);
  }
  const approval = ['--require-approval', options.yes ? 'never' : 'broadening'];
  const outputs = ['--outputs-file', tools.outputsFile];
  if (changes) {
    const client = await deployClient(caller);
    const { letGo } = options;
    await update({ client, tools, stackName, context, approval, outputs, letGo });
  } else {
    await tools.cdk(['deploy', stackName, ...context, ...approval, ...outputs]);
  }
  await settle(name, tools.print);
  if (options.verify) await tools.verify(name);
  const { [stackName]: values = {} } = await tools.outputs();
  for (const line of nextSteps(name, stage, values, commit)) tools.print(line);
}
